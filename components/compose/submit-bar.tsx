import { Button } from "../ui/button";
import { Sentence } from "../ui/sentence";
import * as words from "../words/compose";

type Props = { label: string; isSending: boolean; problems: number };

/** The button, and while it is off why. */
export function SubmitBar({ label, isSending, problems }: Props) {
  const isOff = problems > 0 || isSending;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        type="submit"
        aria-disabled={isOff}
        aria-describedby="submit-why"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        className="w-full sm:w-auto sm:px-8"
      >
        {isSending ? words.sending : label}
      </Button>
      <p id="submit-why" className="text-muted text-sm">
        {problems > 0 ? (
          words.offBecause(problems)
        ) : (
          <Sentence
            text={words.sendKeys}
            parts={{ ctrl: <kbd>{words.ctrl}</kbd>, enter: <kbd>{words.enter}</kbd>, command: <kbd>⌘</kbd> }}
          />
        )}
      </p>
    </div>
  );
}

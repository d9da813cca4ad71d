import { Button } from "../ui/button";
import { Sentence } from "../ui/sentence";
import { composeWords } from "./words";

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
        {isSending ? composeWords.sending : label}
      </Button>
      <p id="submit-why" className="text-muted text-sm">
        {problems > 0 ? (
          composeWords.offBecause(problems)
        ) : (
          <Sentence
            text={composeWords.sendKeys}
            parts={{
              ctrl: <kbd>{composeWords.ctrl}</kbd>,
              enter: <kbd>{composeWords.enter}</kbd>,
              command: <kbd>⌘</kbd>,
            }}
          />
        )}
      </p>
    </div>
  );
}

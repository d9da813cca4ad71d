import { Button } from "./button";
import { Notice } from "./notice";
import { uiWords } from "./words";

/** What could not be read, said in a whole sentence, and the way on. */
export function LoadFailed({ text, retry }: { text: string; retry: () => void }) {
  const again = (
    <Button look="quiet" onClick={retry}>
      {uiWords.tryAgain}
    </Button>
  );
  return (
    <Notice tone="wrong" action={again}>
      {text}
    </Notice>
  );
}

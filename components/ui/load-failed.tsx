import * as words from "../words/ui";
import { Button } from "./button";
import { Notice } from "./notice";

/** What could not be read, said in a whole sentence, and the way on. */
export function LoadFailed({ text, retry }: { text: string; retry: () => void }) {
  const again = (
    <Button look="quiet" onClick={retry}>
      {words.tryAgain}
    </Button>
  );
  return (
    <Notice tone="wrong" action={again}>
      {text}
    </Notice>
  );
}

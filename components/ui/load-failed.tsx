import { Button } from "./button";
import { Notice } from "./notice";

/** A list that could not be read: what happened and the way on. */
export function LoadFailed({ what, error, retry }: { what: string; error: Error; retry: () => void }) {
  const again = (
    <Button look="quiet" onClick={retry}>
      Try again
    </Button>
  );
  return (
    <Notice tone="wrong" action={again}>
      Could not load {what}: {error.message}
    </Notice>
  );
}

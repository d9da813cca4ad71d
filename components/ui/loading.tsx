import { ApiFailure } from "../api/client";
import { Button } from "./button";
import { Notice } from "./notice";
import { uiWords } from "./words";

/** A loading error with a retry button. */
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

/** A post that could not be loaded. For one that does not exist, trying again would not help. */
export function PostNotLoaded({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof ApiFailure && error.status === 404) return <Notice tone="warn">{uiWords.noSuchPost}</Notice>;
  return <LoadFailed text={uiWords.couldNotLoadPost(error.message)} retry={retry} />;
}

/** Placeholder rows with the final height, so that the layout does not shift. They are in sight only if loading takes 300 ms. */
export function SkeletonRows({ label, rows = 3, height = "h-20" }: { label: string; rows?: number; height?: string }) {
  return (
    <div role="status" className="grid animate-late gap-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div
          key={row}
          aria-hidden
          className={`${height} motion-safe:animate-pulse rounded-2xl border border-line bg-sunk`}
        />
      ))}
    </div>
  );
}

import { Button } from "../ui/button";
import { TitledModal } from "../ui/titled-modal";
import type { Ready } from "./queries";
import { duplicateWords } from "./words";

type Props = { ready: Ready[]; merge: () => void; close: () => void };

/**
 * Asks for confirmation before several groups are merged, which cannot be undone, and lists what is removed and lost.
 */
export function MergeWindow({ ready, merge, close }: Props) {
  const losing = ready.filter(({ losses }) => losses.length > 0);
  const posts = ready.flatMap(({ input }) => input.ids).length;
  return (
    <TitledModal title={duplicateWords.mergeAllQuestion(posts, ready.length)} close={close}>
      <p>
        {duplicateWords.removedForGood(posts - ready.length)} {duplicateWords.losing(losing.length, ready.length)}
      </p>
      {losing.length > 0 && (
        <ul className="grid gap-3 text-sm">
          {losing.map(({ name, input, losses }) => (
            <li key={input.keep} className="grid gap-1">
              <p className="wrap-anywhere line-clamp-1 font-medium">{name}</p>
              {losses.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t pt-4">
        <Button look="quiet" onClick={close}>
          {duplicateWords.leave}
        </Button>
        <Button look="danger" onClick={merge}>
          {duplicateWords.mergeAll(posts, ready.length)}
        </Button>
      </div>
    </TitledModal>
  );
}

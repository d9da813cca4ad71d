import { Button } from "../ui/button";
import { TitledModal } from "../ui/titled-modal";
import type { Ready } from "./queries";
import { countedPosts, losingWords, mergeAllWords } from "./words";

type Props = { ready: Ready[]; merge: () => void; close: () => void };

/** Asks before several groups are merged at once, which cannot be taken back: how much is removed, and what is lost by it. */
export function MergeWindow({ ready, merge, close }: Props) {
  const losing = ready.filter(({ losses }) => losses.length > 0);
  return (
    <TitledModal title={`${mergeAllWords(ready)}?`} close={close}>
      <p>
        {countedPosts(ready.flatMap(({ wish }) => wish.ids).length - ready.length)} removed for good.{" "}
        {losingWords(losing.length, ready.length)}
      </p>
      {losing.length > 0 && (
        <ul className="grid gap-3 text-sm">
          {losing.map(({ name, wish, losses }) => (
            <li key={wish.keep} className="grid gap-1">
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
          Leave them as they are
        </Button>
        <Button look="danger" onClick={merge}>
          {mergeAllWords(ready)}
        </Button>
      </div>
    </TitledModal>
  );
}

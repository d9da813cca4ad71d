import { Cloud, CloudOff, GitCompareArrows, Loader, Monitor } from "lucide-react";
import { Button } from "../ui/button";
import * as words from "../words/compose";
import type { Saving } from "./use-autosave";

export type Kept = Saving | "browser" | "unchanged" | "unsaved";

const states = {
  nothing: { icon: Monitor, says: words.keptAsTyped },
  browser: { icon: Monitor, says: words.keptHere },
  saving: { icon: Loader, says: words.savingDraft },
  saved: { icon: Cloud, says: words.savedAsDraft },
  refused: { icon: CloudOff, says: words.keptHereOnly },
  elsewhere: { icon: CloudOff, says: words.goneElsewhere },
  clash: { icon: GitCompareArrows, says: words.savedBySomebody },
  unchanged: { icon: Cloud, says: words.plannedAsIs },
  unsaved: { icon: CloudOff, says: words.notSavedYet },
} satisfies Record<Kept, object>;

type Props = { state: Kept; compare: () => void };

/** Where what is written is kept just now; where somebody else was quicker, with the way to choose. */
export function SaveState({ state, compare }: Props) {
  const { icon: Icon, says } = states[state];
  const isClash = state === "clash";
  return (
    <div className={isClash ? "flex flex-wrap items-center gap-3 rounded-xl bg-warn-soft p-4 text-warn" : ""}>
      <p role="status" className={`flex items-center gap-2 ${isClash ? "" : "text-muted text-sm"}`}>
        <Icon aria-hidden className="size-4 shrink-0" />
        {says}
      </p>
      {isClash && (
        <Button look="quiet" onClick={compare}>
          {words.compare}
        </Button>
      )}
    </div>
  );
}

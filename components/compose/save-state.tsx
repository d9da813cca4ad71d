import { Cloud, CloudOff, GitCompareArrows, Loader, Monitor } from "lucide-react";
import { Button } from "../ui/button";
import type { Saving } from "./use-autosave";
import { composeWords } from "./words";

export type Kept = Saving | "browser" | "unchanged" | "unsaved";

const states = {
  nothing: { icon: Monitor, says: composeWords.keptAsTyped },
  browser: { icon: Monitor, says: composeWords.keptHere },
  saving: { icon: Loader, says: composeWords.savingDraft },
  saved: { icon: Cloud, says: composeWords.savedAsDraft },
  refused: { icon: CloudOff, says: composeWords.keptHereOnly },
  elsewhere: { icon: CloudOff, says: composeWords.goneElsewhere },
  clash: { icon: GitCompareArrows, says: composeWords.savedBySomebody },
  unchanged: { icon: Cloud, says: composeWords.plannedAsIs },
  unsaved: { icon: CloudOff, says: composeWords.notSavedYet },
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
          {composeWords.compare}
        </Button>
      )}
    </div>
  );
}

import { Cloud, CloudOff, GitCompareArrows, Loader, Monitor } from "lucide-react";
import { Button } from "../ui/button";
import type { Saving } from "./use-autosave";

export type Kept = Saving | "browser" | "unchanged" | "unsaved";

const states = {
  nothing: { icon: Monitor, says: "What you write is kept as you type." },
  browser: { icon: Monitor, says: "Kept in this browser. With an account chosen it is saved as a draft." },
  saving: { icon: Loader, says: "Saving the draft…" },
  saved: { icon: Cloud, says: "Saved as a draft." },
  refused: { icon: CloudOff, says: "Kept in this browser only: something has to be set before it can be a draft." },
  elsewhere: {
    icon: CloudOff,
    says: "It was scheduled or sent from another page meanwhile. Discard it to begin anew.",
  },
  clash: {
    icon: GitCompareArrows,
    says: "Somebody else has saved this post meanwhile. Nothing is saved until you choose.",
  },
  unchanged: { icon: Cloud, says: "Planned as it stands here." },
  unsaved: { icon: CloudOff, says: "Your changes are not saved yet." },
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
          Compare and choose
        </Button>
      )}
    </div>
  );
}

import { Cloud, CloudOff, Loader, Monitor } from "lucide-react";
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
  unchanged: { icon: Cloud, says: "Planned as it stands here." },
  unsaved: { icon: CloudOff, says: "Your changes are not saved yet." },
} satisfies Record<Kept, object>;

/** Where what is written is kept just now. */
export function SaveState({ state }: { state: Kept }) {
  const { icon: Icon, says } = states[state];
  return (
    <p role="status" className="flex items-center gap-2 text-muted text-sm">
      <Icon aria-hidden className="size-4 shrink-0" />
      {says}
    </p>
  );
}

"use client";
import { MoreHorizontal, Share2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";
import { Button } from "../../ui/button";
import { SpriteIcon, type SpriteName } from "../../ui/sprite-icon";
import { say } from "../../ui/toast";
import { loadWindows } from "../load-windows";
import { composePageWords } from "../page-words";
import { composeWords } from "../words";
import type { Version } from "./local-storage";
import type { DraftState } from "./use-autosave";

// Loaded when they are opened.
const MoreMenu = dynamic(() => loadWindows().then(({ MoreMenu }) => MoreMenu), { ssr: false });
const ShareWindow = dynamic(() => loadWindows().then(({ ShareWindow }) => ShareWindow), { ssr: false });

/** The classes of a control at the end of the header that is only an icon. */
export const headerButton = "grid size-9 place-items-center rounded-md hover:bg-sunk max-md:size-11";

/** Opens the review links of the post. @param keep saves what is not saved yet and returns the stored version */
export function SharePreview({ keep }: { keep: () => Promise<Version | undefined> }) {
  const [id, setId] = useState<number>();
  async function share() {
    const version = await keep();
    if (version) setId(version.id);
    else say((toast) => toast(composePageWords.staysHere));
  }
  return (
    <>
      <Button look="quiet" className="min-h-9! px-3! py-1! text-sm max-md:px-2!" onClick={() => void share()}>
        <Share2 aria-hidden className="size-4" />
        <span className="max-md:sr-only">{composeWords.sharePreview}</span>
      </Button>
      {id !== undefined && <ShareWindow scheduleId={id} close={() => setId(undefined)} />}
    </>
  );
}

type MoreProps = Omit<ComponentProps<typeof MoreMenu>, "anchor" | "close">;

/** Opens the menu with what else can be done with the post. */
export function More(given: MoreProps) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <>
      <button
        type="button"
        aria-haspopup="menu"
        title={composeWords.more}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        className={headerButton}
      >
        <MoreHorizontal aria-hidden className="size-4" />
        <span className="sr-only">{composeWords.more}</span>
      </button>
      {anchor && <MoreMenu {...given} anchor={anchor} close={() => setAnchor(undefined)} />}
    </>
  );
}

const states = {
  nothing: { icon: "monitor", says: composeWords.keptAsTyped },
  browser: { icon: "monitor", says: composeWords.keptHere },
  saving: { icon: "loader", says: composeWords.savingDraft },
  saved: { icon: "cloud", says: composeWords.savedAsDraft },
  refused: { icon: "cloud-off", says: composeWords.keptHereOnly },
  offline: { icon: "cloud-off", says: composeWords.offline },
  offlineUnsaved: { icon: "cloud-off", says: composeWords.offlineUnsaved },
  elsewhere: { icon: "cloud-off", says: composeWords.goneElsewhere },
  clash: { icon: "git-compare-arrows", says: composeWords.savedBySomebody },
  unchanged: { icon: "cloud", says: composeWords.plannedAsIs },
  unsaved: { icon: "cloud-off", says: composeWords.notSavedYet },
} satisfies Record<DraftState, { icon: SpriteName; says: string }>;

type Props = { state: DraftState; compare: () => void };

/** Shows where the text is saved, and on a conflict a button to choose a version. */
export function SaveState({ state, compare }: Props) {
  const { icon, says } = states[state];
  const isClash = state === "clash";
  return (
    <div className={isClash ? "flex flex-wrap items-center gap-3 rounded-xl bg-warn-soft p-4 text-warn" : ""}>
      <p role="status" className={`flex items-center gap-2 ${isClash ? "" : "text-muted text-sm"}`}>
        <SpriteIcon name={icon} className="size-4 shrink-0" />
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

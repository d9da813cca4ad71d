"use client";
import { useRouter } from "next/navigation";
import { type ComponentProps, useState } from "react";
import { Button } from "../../ui/button";
import { Ellipsis, Share2, SpriteIcon, type SpriteName } from "../../ui/icons";
import { loadedLater } from "../../ui/toast";
import { loadWindows } from "../load-windows";
import { composeWords } from "../words";
import { sayOnlyHere, type Version } from "./local-storage";
import type { DraftState } from "./use-autosave";

// Loaded when it is opened.
const MoreWindow = loadedLater(() => loadWindows().then(({ MoreWindow }) => MoreWindow));

/** The classes of a control at the end of the header that is only an icon. */
export const headerButton = "grid size-9 place-items-center rounded-md hover:bg-sunk max-md:size-11";

/** Goes to the review links on the page of the post. @param keep saves what is not saved yet and returns the stored version */
export function SharePreview({ keep }: { keep: () => Promise<Version | undefined> }) {
  const router = useRouter();
  async function share() {
    const version = await keep();
    if (version) router.push(`/posts/${version.id}#share`);
    else sayOnlyHere();
  }
  return (
    <Button look="quiet" className="min-h-9! px-3! py-1! text-sm max-md:px-2!" onClick={() => void share()}>
      <Share2 aria-hidden className="size-4" />
      <span className="max-md:sr-only">{composeWords.sharePreview}</span>
    </Button>
  );
}

/** Opens the window with what else can be done with the post. */
export function More(given: Omit<ComponentProps<typeof MoreWindow>, "close">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={composeWords.more}
        onClick={() => setOpen(true)}
        className={headerButton}
      >
        <Ellipsis aria-hidden className="size-4" />
        <span className="sr-only">{composeWords.more}</span>
      </button>
      {isOpen && <MoreWindow {...given} close={() => setOpen(false)} />}
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

/**
 * Shows where the text is saved, and on a conflict a button to choose a version. On a phone, it takes the room that the title and
 * the buttons leave, so that the buttons stay where they are when it changes.
 */
export function SaveState({ state, compare }: Props) {
  const { icon, says } = states[state];
  const isClash = state === "clash";
  return (
    <div
      className={
        isClash
          ? "flex flex-wrap items-center gap-3 rounded-xl bg-warn-soft p-4 text-warn max-md:order-1"
          : "max-md:min-w-0 max-md:flex-1"
      }
    >
      <p role="status" className={`flex items-center gap-2 ${isClash ? "" : "text-muted text-sm max-md:text-xs"}`}>
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

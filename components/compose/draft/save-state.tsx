"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Share2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { readAnew } from "../../api/client";
import { Button } from "../../ui/button";
import { SpriteIcon, type SpriteName } from "../../ui/sprite-icon";
import { say } from "../../ui/toast";
import { loadWindows } from "../load-windows";
import { composePageWords } from "../page-words";
import { composeWords } from "../words";
import { forgetDraft, type Version } from "./local-storage";
import { deleteDraft } from "./queries";
import type { DraftState } from "./use-autosave";

// Loaded when it is opened.
const ShareWindow = dynamic(() => loadWindows().then(({ ShareWindow }) => ShareWindow), { ssr: false });

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

type DiscardProps = {
  /** Stops saving and returns the stored draft, if any. */
  stop: () => Promise<Version | undefined>;
  userId: string;
  onDiscarded: () => void;
};

const look = "min-h-8 text-sm underline";

/** Deletes the text here and on the server, after a second press. */
export function Discard({ stop, userId, onDiscarded }: DiscardProps) {
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  async function discard() {
    const version = await stop();
    forgetDraft(userId);
    onDiscarded();
    if (!version) return;
    await deleteDraft(version.id).catch(({ message }: Error) =>
      say((toast) => toast.error(composeWords.draftStillThere(message))),
    );
    await readAnew(cache, { queryKey: ["schedules"] });
  }
  if (!isAsking) {
    return (
      <button type="button" onClick={() => setAsking(true)} className={`${look} text-accent`}>
        {composeWords.discard}
      </button>
    );
  }
  return (
    <span className="flex gap-4">
      {/* biome-ignore lint/a11y/noAutofocus: this button replaces the one that was pressed */}
      <button type="button" autoFocus onClick={() => setAsking(false)} className={`${look} text-accent`}>
        {composeWords.keep}
      </button>
      <button type="button" onClick={() => void discard()} className={`${look} text-wrong`}>
        {composeWords.discardForGood}
      </button>
    </span>
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

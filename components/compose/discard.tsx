"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readAnew } from "../api/anew";
import { say } from "../ui/toast";
import { forgetDraft, type Version } from "./kept";
import { deleteDraft } from "./queries";
import { composeWords } from "./words";

type Props = {
  /** Ends the saving, and says which draft the service has of it. */
  stop: () => Promise<Version | undefined>;
  userId: string;
  onDiscarded: () => void;
};

const look = "min-h-8 text-sm underline";

/** Throws away what is written, here and at the service, when it is asked for twice. */
export function Discard({ stop, userId, onDiscarded }: Props) {
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
      {/* biome-ignore lint/a11y/noAutofocus: the button that was pressed has become this one */}
      <button type="button" autoFocus onClick={() => setAsking(false)} className={`${look} text-accent`}>
        {composeWords.keep}
      </button>
      <button type="button" onClick={() => void discard()} className={`${look} text-wrong`}>
        {composeWords.discardForGood}
      </button>
    </span>
  );
}

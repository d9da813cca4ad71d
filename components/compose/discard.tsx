"use client";
import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { Confirm } from "../ui/confirm";
import { forgetDraft } from "./kept";
import { deleteDraft } from "./queries";

type Props = {
  /** Ends the saving, and says which draft the service has of it. */
  stop: () => Promise<number | undefined>;
  userId: string;
  onDiscarded: () => void;
};

/** Throws away what is written, here and at the service. */
export function Discard({ stop, userId, onDiscarded }: Props) {
  const cache = useQueryClient();
  async function discard() {
    const id = await stop();
    forgetDraft(userId);
    onDiscarded();
    if (id === undefined) return;
    await deleteDraft(id).catch((error: Error) => toast.error(`The draft is still there: ${error.message}`));
    await cache.invalidateQueries({ queryKey: ["schedules"] });
  }
  return (
    <Confirm
      trigger={
        <button type="button" className="min-h-8 text-accent text-sm underline">
          Discard it
        </button>
      }
      title="Discard what you wrote?"
      action="Discard"
      onConfirm={() => void discard()}
    >
      The text and the draft are gone for good. The files stay in your library.
    </Confirm>
  );
}

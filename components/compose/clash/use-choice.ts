"use client";
import { useRouter } from "next/navigation";
import { type RefObject, useState } from "react";
import type { Account } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import type { OriginalSchedule, StoredSchedule } from "../draft/queries";
import { type DraftSource, replaceStoredDraft } from "../draft/source";
import type { useDraftSaving } from "../draft/use-autosave";

type Given = {
  purpose: DraftSource;
  keeping: ReturnType<typeof useDraftSaving>;
  isTouched: RefObject<boolean>;
  accounts: Account[];
  networks: NetworkFacts[];
  /** The page is to begin anew from what this browser keeps; only where that is what it shows. */
  beginAnew?: () => void;
  /** The page is to begin anew from what somebody else has saved, in every other place. */
  beginFrom?: (theirs: OriginalSchedule) => void;
};

/** What somebody else has saved meanwhile: whether it is being looked at, and what follows from either choice. */
export function useChoice({ purpose, keeping, isTouched, accounts, networks, beginAnew, beginFrom }: Given) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen,
    open: () => setOpen(true),
    close: () => setOpen(false),
    /** Found when it was sent, so that it is looked at at once. */
    meet(theirs: StoredSchedule) {
      keeping.meet(theirs);
      setOpen(true);
    },
    overwrite() {
      setOpen(false);
      if (keeping.clash) keeping.overwrite(keeping.clash);
    },
    take(theirs: OriginalSchedule) {
      isTouched.current = false;
      if (beginFrom) beginFrom(theirs);
      else if (replaceStoredDraft(purpose.userId, theirs, { accounts, networks })) beginAnew?.();
      else router.push(`/posts/${theirs.schedule.id}`);
    },
    /** Ends the saving; what somebody else has saved is not thrown away with mine. */
    async stop() {
      const mine = await keeping.stop();
      return keeping.clash ? undefined : mine;
    },
  };
}

"use client";
import { useRouter } from "next/navigation";
import { type RefObject, useState } from "react";
import type { ApiAccount } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import type { OriginalSchedule, StoredSchedule } from "../draft/queries";
import { type DraftSource, replaceStoredDraft } from "../draft/source";
import type { useDraftSaving } from "../draft/use-autosave";

type Given = {
  purpose: DraftSource;
  keeping: ReturnType<typeof useDraftSaving>;
  isTouched: RefObject<boolean>;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  /** Restarts the page from the local draft; only for a new post. */
  beginAnew?: () => void;
  /** Restarts the page from the version that someone else saved; for all other posts. */
  beginFrom?: (theirs: OriginalSchedule) => void;
};

/** The state of an edit conflict, and what each choice does. */
export function useChoice({ purpose, keeping, isTouched, accounts, networks, beginAnew, beginFrom }: Given) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen,
    open: () => setOpen(true),
    close: () => setOpen(false),
    /** The conflict was found while sending, so open the window at once. */
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
    /** Stops saving. Someone else's version is not discarded with mine. */
    async stop() {
      const mine = await keeping.stop();
      return keeping.clash ? undefined : mine;
    },
  };
}

"use client";
import { useCallback, useRef, useState } from "react";
import type { Draft } from "./draft";

/**
 * Changes the draft. The function may run later than the call and returns a new draft.
 * @param isByHand false for what the page fills in, which does not count as the user's work
 */
export type EditDraft = (change: (draft: Draft) => Draft, isByHand?: boolean) => void;

/** The draft, and whether the user has changed it. */
export function useDraft(initial: () => Draft) {
  const [draft, setDraft] = useState(initial);
  const isTouched = useRef(false);
  const edit = useCallback<EditDraft>((change, isByHand = true) => {
    if (isByHand) isTouched.current = true;
    setDraft(change);
  }, []);
  return { draft, edit, isTouched };
}

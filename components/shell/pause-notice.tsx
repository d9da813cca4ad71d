"use client";
import { useMe } from "../api/queries";
import { Notice } from "../ui/notice";
import { shellWords } from "./words";

/** Shown on every page while publishing is paused or held. */
export function PauseNotice() {
  const { data: me } = useMe();
  if (!me?.publishingPaused) return null;
  return (
    <Notice tone="warn" className="mb-6">
      <p className="font-semibold">{me.publishingHeld ? shellWords.held : shellWords.paused}</p>
      <p>{me.publishingHeld ? shellWords.heldWhat : shellWords.pausedWhat}</p>
      {me.publishingPausedReason && <p className="mt-1">{shellWords.pausedWhy(me.publishingPausedReason)}</p>}
    </Notice>
  );
}

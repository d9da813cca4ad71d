"use client";
import { useMe } from "../api/queries";
import { Notice } from "../ui/notice";
import { shellWords } from "./words";

/** Shown on every page while publishing is paused. */
export function PauseNotice() {
  const { data: me } = useMe();
  if (!me?.publishingPaused) return null;
  return (
    <Notice tone="warn" className="mb-6">
      <p className="font-semibold">{shellWords.paused}</p>
      <p>{shellWords.pausedWhat}</p>
      {me.publishingPausedReason && <p className="mt-1">{shellWords.pausedWhy(me.publishingPausedReason)}</p>}
    </Notice>
  );
}

"use client";
import { useMe } from "../api/queries";
import { Notice } from "../ui/notice";
import { shellWords } from "./words";

/** On every page while nothing is published at all; it comes and goes by itself. */
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

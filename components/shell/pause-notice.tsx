"use client";
import { useMe } from "../api/queries";
import { Notice } from "../ui/notice";
import * as words from "../words/shell";

/** On every page while nothing is published at all; it comes and goes by itself. */
export function PauseNotice() {
  const { data: me } = useMe();
  if (!me?.publishingPaused) return null;
  return (
    <Notice tone="warn" className="mb-6">
      <p className="font-semibold">{words.paused}</p>
      <p>{words.pausedWhat}</p>
      {me.publishingPausedReason && <p className="mt-1">{words.pausedWhy(me.publishingPausedReason)}</p>}
    </Notice>
  );
}

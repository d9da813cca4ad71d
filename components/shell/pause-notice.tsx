"use client";
import { useMe } from "../api/queries";
import { Notice } from "../ui/notice";

/** On every page while nothing is published at all; it comes and goes by itself. */
export function PauseNotice() {
  const { data: me } = useMe();
  if (!me?.publishingPaused) return null;
  return (
    <Notice tone="warn" className="mb-6">
      <p className="font-semibold">Publishing is paused</p>
      <p>
        Nothing is sent to the networks at the moment. Posts that are due wait, and go out as soon as publishing goes
        on; those that are more than 24 hours late by then are not sent.
      </p>
      {me.publishingPausedReason && <p className="mt-1">Reason: {me.publishingPausedReason}</p>}
    </Notice>
  );
}

"use client";
import { useEffect, useRef, useState } from "react";
import type { ApiSchedule, ApiScheduleStatus } from "../api/types";
import { textsOf } from "./facts";
import { postWords } from "./words";

const ENDS: ApiScheduleStatus[] = ["COMPLETED", "PARTIALLY_COMPLETED", "FAILED", "MEDIA_IMPORT_FAILED"];

/** Announces to screen readers when a visible schedule has ended. */
export function StatusAnnouncer({ schedules }: { schedules: ApiSchedule[] }) {
  const seen = useRef(new Map<number, string>());
  const [said, setSaid] = useState("");
  useEffect(() => {
    for (const schedule of schedules) {
      const { id, overallStatus: state } = schedule;
      const before = seen.current.get(id);
      if (before && before !== state && ENDS.includes(state)) {
        setSaid(postWords.announced(postWords.states[state], textsOf(schedule)[0] ?? postWords.aPost));
      }
      seen.current.set(id, state);
    }
  }, [schedules]);
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}

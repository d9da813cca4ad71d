"use client";
import { useEffect, useRef, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { OVER, textsOf } from "./facts";
import { postWords } from "./words";

/** Announces to screen readers when a visible schedule has ended. */
export function StatusAnnouncer({ schedules }: { schedules: ApiSchedule[] }) {
  const seen = useRef(new Map<number, string>());
  const [said, setSaid] = useState("");
  useEffect(() => {
    for (const schedule of schedules) {
      const { id, overallStatus: state } = schedule;
      const before = seen.current.get(id);
      if (before && before !== state && OVER.includes(state)) {
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

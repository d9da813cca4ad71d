"use client";
import { useEffect, useRef, useState } from "react";
import type { Schedule } from "../api/types";
import { textsOf } from "./facts";

const ends: { [status: string]: string } = {
  COMPLETED: "Published",
  PARTIALLY_COMPLETED: "Partly published",
  FAILED: "Failed",
  MEDIA_IMPORT_FAILED: "Media failed",
};

/** Says aloud when a schedule in view comes to its end, for those who do not see the sign change. */
export function StatusAnnouncer({ schedules }: { schedules: Schedule[] }) {
  const seen = useRef(new Map<number, string>());
  const [said, setSaid] = useState("");
  useEffect(() => {
    for (const schedule of schedules) {
      const before = seen.current.get(schedule.id);
      const end = ends[schedule.overallStatus];
      if (before && before !== schedule.overallStatus && end) setSaid(`${end}: ${textsOf(schedule)[0] ?? "post"}`);
      seen.current.set(schedule.id, schedule.overallStatus);
    }
  }, [schedules]);
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}

import { finishRestore } from "../lib/schedules";
import { type Command, UsageError } from "./command";

/** An instant with a time zone, in ISO 8601. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

export const finishRestoreCommand: Command = {
  about:
    "Looks up every publication that may have been sent after a backup was taken, and then lets publishing go on. It can be interrupted and run again",
  options: {
    "taken-at": {
      value: "T",
      about: "when the backup was taken, or the earliest instant that it may be from; ISO 8601 with a time zone",
      required: true,
    },
  },
  prints:
    '{ "due", "found", "unknown", "safeToSend", "lookedUpLater", "unknownPublications": [{ "id", "scheduleId", "platform", "scheduledTime" }] }',
  example: "--taken-at 2026-11-24T03:00:00Z",
  async run(input) {
    const takenAt = instantOf(input.required("taken-at"));
    const summary = await finishRestore(takenAt, (line) => console.error(line));
    const { due, found, unknown, safeToSend, lookedUpLater } = summary;
    const later = lookedUpLater > 0 ? `, looked up later ${lookedUpLater}` : "";
    console.error(`due ${due}, found ${found}, unknown ${unknown}, safe to send ${safeToSend}${later}`);
    return summary;
  },
};

/** @throws UsageError unless it is an instant in the past */
function instantOf(given: string): Date {
  const instant = new Date(INSTANT.test(given) ? given : Number.NaN);
  if (Number.isNaN(instant.getTime())) {
    throw new UsageError(`--taken-at must be an instant such as 2026-11-24T03:00:00Z, not ${given}`);
  }
  if (instant.getTime() > Date.now()) throw new UsageError(`--taken-at must be in the past, not ${given}`);
  return instant;
}

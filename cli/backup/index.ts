import { assertStore } from "../../lib/installation";
import { checkObjects, type ObjectProblem } from "../../lib/media";
import { finishRestore } from "../../lib/schedules";
import { parseInstant } from "../../lib/time/instant";
import { type Command, UsageError } from "../command";
import { withProgress } from "../progress";
import { createBackup } from "./create";
import { restoreBackup } from "./restore";
import { verifyBackup } from "./verify";

/** How many names of objects with a problem are printed. */
const SHOWN = 100;

/** Backups of the database and of the files, and the comparison of the two. */
export const backupCommands: { [name: string]: Command } = {
  "backup create": {
    about: "Writes a backup of the database and the files to a new folder, while the service runs or is stopped",
    options: { to: { value: "DIR", about: "the folder; it must not exist, or be empty", required: true } },
    prints:
      '{ "folder", "takenAt", "rows", "objects", "bucket", "lost", "keys" }; lost: files that the store does not have',
    example: "--to /backups/2026-11-24",
    prepare: (input) => () => withProgress("backup create", (say) => createBackup(input.required("to"), say)),
  },
  "backup verify": {
    about: "Reads a backup to its end and compares it with its checksums (exit code 1 if it is damaged)",
    argument: "DIR",
    skipsDatabase: true,
    prints: '{ "takenAt", "rows", "objects", "lost" }',
    example: "/backups/2026-11-24",
    prepare:
      ({ argument }) =>
      async () => {
        const { takenAt, tables, objects } = await withProgress("backup verify", (say) => verifyBackup(argument, say));
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        return { takenAt, rows, objects: objects.list.rows - objects.lost.length, lost: objects.lost.length };
      },
  },
  restore: {
    about: "Restores a backup into an empty database while no process of Carillon runs; publishing stays held",
    argument: "DIR",
    ignoresKeys: true, // the backup says which ones are needed; a try without them must not store others
    prints: '{ "takenAt", "rows", "objects", "publishing": "held" }; the next command is shown on standard error',
    example: "/backups/2026-11-24",
    prepare:
      ({ argument }) =>
      () =>
        withProgress("restore", (say) => restoreBackup(argument, say)),
  },
  "objects check": {
    about: "Compares the files that the database refers to with the store (exit code 1 if something is missing)",
    options: {
      repair: {
        isFlag: true,
        about: "marks missing files, so that posts fail with the reason, and removes files without a row after a day",
      },
    },
    prints: '{ "compared", "missing", "damaged", "orphaned", "names" }; names: the first hundred',
    example: "--repair",
    prepare: (input) => async () => {
      const counts = { missing: 0, damaged: 0, orphaned: 0 };
      const names: string[] = [];
      const onProblem = ({ name, problem }: ObjectProblem) => {
        counts[problem] += 1;
        if (names.length < SHOWN) names.push(`${name} is ${problem}`);
      };
      const repair = input.has("repair");
      await assertStore();
      const compared = await withProgress("objects check", (say) => checkObjects({ repair, onProblem, say }));
      if (counts.missing + counts.damaged > 0) process.exitCode = 1;
      return { compared, ...counts, names };
    },
  },
};

const HAS_ZONE = /(Z|[+-]\d\d:?\d\d)$/;

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
  prepare(input) {
    const takenAt = instantOf(input.required("taken-at"));
    return async () => {
      const summary = await withProgress("restore finish", (say) => finishRestore(takenAt, say));
      const { due, found, unknown, safeToSend, lookedUpLater } = summary;
      const later = lookedUpLater > 0 ? `, looked up later ${lookedUpLater}` : "";
      console.error(`due ${due}, found ${found}, unknown ${unknown}, safe to send ${safeToSend}${later}`);
      return summary;
    };
  },
};

/** @throws UsageError unless it is an instant in the past */
function instantOf(given: string): Date {
  const instant = HAS_ZONE.test(given) ? parseInstant(given) : undefined;
  if (!instant) {
    throw new UsageError(`--taken-at must be an instant such as 2026-11-24T03:00:00Z, not ${given}`);
  }
  if (instant.getTime() > Date.now()) throw new UsageError(`--taken-at must be in the past, not ${given}`);
  return instant;
}

import type { ApiImportedRow, ApiRowProblem, ImportReport } from "./queries";
import { bulkWords } from "./words";

/** Returns a row's problem as a sentence. */
export function problemWords({ rule, message, measured, column, fix }: ApiRowProblem): string {
  if (rule === "account.unknown" && measured !== undefined) {
    return bulkWords.unknownAccount(measured);
  }
  if (rule === "required") return bulkWords.cannotBeEmpty;
  if (rule === "chat.required") return bulkWords.sayWhere;
  if (rule === "media.unknown") return bulkWords.unknownMedia(upper(message));
  const sentence = /^\p{Lu}/u.test(message) ? message : `${column ?? bulkWords.theRow} ${message}`;
  const advice = fix && !/\b(GET|POST) \//.test(fix) ? ` ${stopped(fix)}` : "";
  return `${stopped(upper(sentence))}${advice}`;
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Adds a full stop unless the sentence has an end mark. */
export const stopped = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Summarises a check in one line. */
export function checkWords({ counts: { ready, invalid, existing } }: ImportReport): string {
  const parts = [
    ready > 0 && bulkWords.rowsReady(ready),
    invalid > 0 && bulkWords.wrong(invalid),
    existing > 0 && bulkWords.alreadyThere(existing),
  ];
  return parts.filter(Boolean).join(", ");
}

/** The label of the submit button. */
export function submitWords(rows: ApiImportedRow[]): string {
  const ready = rows.filter(({ outcome }) => outcome === "ready");
  const drafts = ready.filter(({ isDraft }) => isDraft).length;
  const posts = ready.length - drafts;
  if (drafts === 0) return bulkWords.schedule(posts);
  return posts === 0 ? bulkWords.keep(drafts) : bulkWords.scheduleAndKeep(posts, drafts);
}

/** Why the button is disabled; undefined if it is not. */
export function disabledReason(
  { counts: { ready, invalid, existing } }: ImportReport,
  skips: boolean,
): string | undefined {
  if (ready === 0 && invalid > 0) return bulkWords.noneRight;
  if (ready === 0) return bulkWords.nothingLeft(existing);
  return invalid === 0 || skips ? undefined : bulkWords.fixFirst(invalid);
}

/** Summarises an import in one line. */
export function importSummary({ counts: { created, existing, invalid } }: ImportReport): string {
  const parts = [
    bulkWords.postsCreated(created),
    existing > 0 && bulkWords.alreadyThere(existing),
    invalid > 0 && bulkWords.rowsLeftOut(invalid),
  ];
  return parts.filter(Boolean).join(", ");
}

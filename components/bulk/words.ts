import * as words from "../words/bulk";
import type { ImportedRow, ImportReport, RowProblem } from "./types";

/** What is wrong with a row, as a sentence for the person who wrote it. */
export function problemWords({ rule, message, measured, column, fix }: RowProblem): string {
  if (rule === "account.unknown" && measured !== undefined) {
    return words.unknownAccount(measured);
  }
  if (rule === "required") return words.cannotBeEmpty;
  if (rule === "chat.required") return words.sayWhere;
  if (rule === "media.unknown") return words.unknownMedia(upper(message));
  const sentence = /^\p{Lu}/u.test(message) ? message : `${column ?? words.theRow} ${message}`;
  const advice = fix && !/\b(GET|POST) \//.test(fix) ? ` ${stopped(fix)}` : "";
  return `${stopped(upper(sentence))}${advice}`;
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** With a full stop, unless it ends as a sentence does. */
export const stopped = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** What a check found, in one line. */
export function checkWords({ counts: { ready, invalid, existing } }: ImportReport): string {
  const parts = [
    ready > 0 && words.rowsReady(ready),
    invalid > 0 && words.wrong(invalid),
    existing > 0 && words.alreadyThere(existing),
  ];
  return parts.filter(Boolean).join(", ");
}

/** The button that creates what is ready: drafts are only kept. */
export function submitWords(rows: ImportedRow[]): string {
  const ready = rows.filter(({ outcome }) => outcome === "ready");
  const drafts = ready.filter(({ isDraft }) => isDraft).length;
  const posts = ready.length - drafts;
  if (drafts === 0) return words.schedule(posts);
  return posts === 0 ? words.keep(drafts) : words.scheduleAndKeep(posts, drafts);
}

/** Why that button is off; undefined where it is not. */
export function obstacle({ counts: { ready, invalid, existing } }: ImportReport, skips: boolean): string | undefined {
  if (ready === 0 && invalid > 0) return words.noneRight;
  if (ready === 0) return words.nothingLeft(existing);
  return invalid === 0 || skips ? undefined : words.mend(invalid);
}

/** What came of it. */
export function resultWords({ counts: { created, existing, invalid } }: ImportReport): string {
  const parts = [
    words.postsCreated(created),
    existing > 0 && words.alreadyThere(existing),
    invalid > 0 && words.rowsLeftOut(invalid),
  ];
  return parts.filter(Boolean).join(", ");
}

import type { ImportedRow, ImportReport, RowProblem } from "./types";

/** The state of a row, in a word. */
export const outcomeWords: Record<ImportedRow["outcome"], string> = {
  ready: "Ready",
  invalid: "Wrong",
  created: "Created",
  existing: "Already there",
};

/** What is wrong with a row, as a sentence for the person who wrote it. */
export function problemWords({ rule, message, measured, column, fix }: RowProblem): string {
  if (rule === "account.unknown" && measured !== undefined) {
    return `None of your accounts is called “${measured}”. Write it like x:handle.`;
  }
  if (rule === "required") return "This cannot be empty.";
  if (rule === "chat.required") return "Say where on this account it is to be posted.";
  if (rule === "media.unknown") return `${upper(message)}. Take a file's key from your library, or a public address.`;
  const sentence = /^\p{Lu}/u.test(message) ? message : `${column ?? "The row"} ${message}`;
  const advice = fix && !/\b(GET|POST) \//.test(fix) ? ` ${stopped(fix)}` : "";
  return `${stopped(upper(sentence))}${advice}`;
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** With a full stop, unless it ends as a sentence does. */
export const stopped = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** `1 post`, `2 posts` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a check found, in one line. */
export function checkWords({ counts: { ready, invalid, existing } }: ImportReport): string {
  const parts = [
    ready > 0 && `${counted(ready, "row")} ready`,
    invalid > 0 && `${invalid} wrong`,
    existing > 0 && `${existing} already there`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The button that creates what is ready: drafts are only kept. */
export function submitWords(rows: ImportedRow[]): string {
  const ready = rows.filter(({ outcome }) => outcome === "ready");
  const drafts = ready.filter(({ isDraft }) => isDraft).length;
  const posts = ready.length - drafts;
  const kept = `eep ${counted(drafts, "draft")}`;
  if (posts === 0 && drafts > 0) return `K${kept}`;
  return `Schedule ${counted(posts, "post")}${drafts > 0 ? ` and k${kept}` : ""}`;
}

/** Why that button is off; undefined where it is not. */
export function obstacle({ counts: { ready, invalid, existing } }: ImportReport, skips: boolean): string | undefined {
  if (ready === 0 && invalid > 0) return "No row is right yet. Mend them in the file, and choose it again.";
  if (ready === 0) return `Nothing is left to create: ${existing === 1 ? "the row is" : "all rows are"} there already.`;
  if (invalid === 0 || skips) return undefined;
  return `${counted(invalid, "row")} ${invalid === 1 ? "is" : "are"} wrong. Mend the file and choose it again, or leave ${invalid === 1 ? "it" : "them"} out.`;
}

/** What came of it. */
export function resultWords({ counts: { created, existing, invalid } }: ImportReport): string {
  const parts = [
    `${counted(created, "post")} created`,
    existing > 0 && `${existing} already there`,
    invalid > 0 && `${counted(invalid, "row")} left out`,
  ];
  return parts.filter(Boolean).join(", ");
}

import * as words from "../words/reviews";

/** What somebody who was asked may say. */
export type Verdict = keyof typeof words.verdicts;

export function isVerdict(text: string): text is Verdict {
  return Object.hasOwn(words.verdicts, text);
}

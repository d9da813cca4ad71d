import { reviewWords } from "./words";

/** What somebody who was asked may say. */
export type Verdict = keyof typeof reviewWords.verdicts;

export function isVerdict(text: string): text is Verdict {
  return Object.hasOwn(reviewWords.verdicts, text);
}

/** What somebody who was asked may say, for people. */
export const verdictWords = { APPROVED: "Approved", CHANGES_REQUESTED: "Asks for changes" } as const;

export type Verdict = keyof typeof verdictWords;

export function isVerdict(text: string): text is Verdict {
  return Object.hasOwn(verdictWords, text);
}

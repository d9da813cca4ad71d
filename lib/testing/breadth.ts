/**
 * Whether this is the long run (`npm run test:long`), which tries every case of a test. `npm test` tries enough of them to verify
 * the guarantee.
 */
export const isLongRun = process.env.TEST_BREADTH === "all";

/** The cases of a test: every one in the long run, and those that `isKept` chooses in `npm test`. */
export function casesOf<T>(all: readonly T[], isKept: (one: T, index: number) => boolean): T[] {
  return isLongRun ? [...all] : all.filter(isKept);
}

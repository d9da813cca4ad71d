/** More than these are no accident of a busy machine. */
export const MOST_LOOKED_AT_AGAIN = 3;

/** @typedef {import("./failures.mjs").Failure} Failure */

/**
 * Runs the files of the tests that failed once more, each by itself, where they are few. One that passes then is unsteady: it is told by
 * name and does not fail the run (docs/adr/0021).
 * @param {Failure[]} failures those that nothing can run again stay failed
 * @param {(again: NonNullable<Failure["again"]>) => Promise<boolean>} passes whether what it runs passes
 * @returns {Promise<{ failed: Failure[], unsteady: Failure[] }>}
 */
export async function secondLook(failures, passes) {
  const failed = [];
  const unsteady = [];
  const isFew = failures.length <= MOST_LOOKED_AT_AGAIN;
  for (const failure of failures) {
    const passed = isFew && failure.again !== undefined && (await passes(failure.again));
    (passed ? unsteady : failed).push(failure);
  }
  return { failed, unsteady };
}

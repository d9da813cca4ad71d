const WORDS = 2000;

/** @typedef {{ test: string, why: string }} Failure */

/**
 * What failed in a run of the unit tests, by the report that Vitest writes.
 * @returns {Failure[]}
 */
export function failedUnits({ testResults = [] }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({ test: `${name} › ${test.fullName}`, why: shorten(test.failureMessages.join("\n")) }));
    if (failed.length > 0 || status !== "failed") return failed;
    return [{ test: name, why: shorten(message) }]; // a file that could not be read, or what it does around its tests
  });
}

/**
 * What failed in a run of the journeys, by the report that Playwright writes.
 * @returns {Failure[]}
 */
export function failedJourneys({ suites = [], errors = [] }) {
  const outside = errors.map(({ message }) => ({ test: "outside of tests", why: shorten(message) }));
  return [...outside, ...suites.flatMap(failedIn)];
}

function failedIn({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected")
      .map(({ projectName, results }) => ({
        test: `[${projectName}] ${file} › ${title}`,
        why: shorten(results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n")),
      })),
  );
  return [...own, ...suites.flatMap(failedIn)];
}

function shorten(text = "") {
  return text.length > WORDS ? `${text.slice(0, WORDS)} …` : text;
}

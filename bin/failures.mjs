const MAX_LENGTH = 2000;

/** @typedef {{ test: string, why: string }} Failure */

/**
 * The failures in the JSON report of Vitest.
 * @returns {Failure[]}
 */
export function failedUnits({ testResults = [] }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({ test: `${name} › ${test.fullName}`, why: shorten(test.failureMessages.join("\n")) }));
    if (failed.length > 0 || status !== "failed") return failed;
    return [{ test: name, why: shorten(message) }]; // The file could not be loaded, or a hook outside of its tests failed.
  });
}

/**
 * The failures in the JSON report of Playwright, each named by its file, its `describe` titles and its own title.
 * @returns {Failure[]}
 */
export function failedJourneys({ suites = [], errors = [] }) {
  const outside = errors.map(({ message }) => ({ test: "outside of tests", why: shorten(message) }));
  return [...outside, ...suites.flatMap((file) => failedIn(file, []))];
}

/** @param titles of the `describe` blocks around these specs; the outermost suite is the file */
function failedIn({ specs = [], suites = [] }, titles) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected")
      .map(({ projectName, results }) => ({
        test: `[${projectName}] ${[file, ...titles, title].join(" › ")}`,
        why: shorten(results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n")),
      })),
  );
  return [...own, ...suites.flatMap((suite) => failedIn(suite, [...titles, suite.title]))];
}

function shorten(text = "") {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
}

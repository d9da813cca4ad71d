import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const { failedJourneys, failedUnits } = await import(pathToFileURL("bin/failures.mjs").href);
const { MOST_LOOKED_AT_AGAIN, secondLook } = await import(pathToFileURL("bin/second-look.mjs").href);

const failure = (name: string) => ({ test: name, why: "…", again: { runner: "units" as const, args: [name] } });

test("what fails twice fails; what passes by itself is unsteady and keeps its reason", async () => {
  const [steady, unsteady] = [failure("a.test.ts"), failure("b.test.ts")];
  const look = await secondLook([steady, unsteady], async ({ args }: { args: string[] }) => args[0] === "b.test.ts");
  expect(look).toEqual({ failed: [steady], unsteady: [unsteady] });
});

test("where many fail nothing is run again", async () => {
  const failures = Array.from({ length: MOST_LOOKED_AT_AGAIN + 1 }, (_, index) => failure(`${index}.test.ts`));
  const look = await secondLook(failures, () => Promise.reject(new Error("run again")));
  expect(look).toEqual({ failed: failures, unsteady: [] });
});

test("what no file stands for cannot be run again", async () => {
  const build = { test: "the dashboard's build", why: "…" };
  expect(await secondLook([build], async () => true)).toEqual({ failed: [build], unsteady: [] });
});

test("a failed unit test is run again by its file, a journey by its file in its project", () => {
  const assertion = { status: "failed", fullName: "counts", failureMessages: ["1 is not 2"] };
  const [unit] = failedUnits({
    testResults: [{ name: "lib/a.test.ts", status: "failed", assertionResults: [assertion] }],
  });
  expect(unit).toEqual({
    test: "lib/a.test.ts › counts",
    why: "1 is not 2",
    again: { runner: "units", args: ["lib/a.test.ts"] },
  });
  const tests = [
    { status: "unexpected", projectName: "phone", results: [{ errors: [{ message: "too wide" }] }] },
    { status: "expected", projectName: "desktop", results: [{ errors: [] }] },
  ];
  const [journey, ...more] = failedJourneys({
    suites: [{ suites: [{ specs: [{ file: "post.spec.ts", title: "goes out", tests }] }] }],
  });
  expect(journey).toEqual({
    test: "[phone] post.spec.ts › goes out",
    why: "too wide",
    again: { runner: "journeys", args: ["--project=phone", "e2e/post.spec.ts"] },
  });
  expect(more).toEqual([]);
});

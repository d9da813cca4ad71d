import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { root, surroundings } from "../e2e/setup/service";
import { chooseTrials } from "../e2e/trials/main";

// A development command that is used wrongly ends before it installs, builds or starts anything, so its output is only the answer.

/** Runs a script with these arguments until it ends. */
function run(...args: string[]): Promise<{ code: number; out: string; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: root, env: surroundings }, (_, out, said) =>
      resolve({ code: child.exitCode ?? -1, out, said }),
    );
  });
}

const USAGES = {
  "bin/trials.mjs trials": "npm run trials -- [TRIAL …] [--short] [--seed N] [--only PART …]",
  "bin/trials.mjs chaos": "npm run chaos -- [TRIAL …] [--short] [--seed N] [--only PART …] [--from RELEASE]",
  "bin/bench.mjs": "npm run bench -- api|dispatch|pages|rest|scale|upload [--short]",
  "bin/pictures.mjs": "npm run pictures",
  "bin/start.mjs": "npm start, npm run dev, npm run worker",
  "bin/test.mjs": "npm test, npm test -- FILTER …, npm run test:long",
  "bin/check.mjs": "npm run check",
  "bin/check-image.mjs": "npm run check:image",
};

test.each(Object.entries(USAGES))("%s --help prints the usage and exits with 0", async (command, usage) => {
  const { code, out, said } = await run(...command.split(" "), "--help");
  expect([code, said]).toEqual([0, ""]);
  expect(out.split("\n")[0]).toBe(`Usage: ${usage}`);
});

const COMMANDS = Object.keys(USAGES).filter((command) => command !== "bin/test.mjs"); // its options are those of Vitest

test.each(COMMANDS)("%s with an unknown option says so in one sentence", async (command) => {
  const { code, out, said } = await run(...command.split(" "), "--nonsense");
  expect([code, out]).toEqual([2, ""]);
  expect(said.split("\n").slice(0, 2)).toEqual(["Unknown option '--nonsense'", expect.stringMatching(/^Usage: /)]);
});

test.each([
  ["bin/trials.mjs chaos t2 --only Nonsense", /^No part of t2 has "Nonsense" in its name\. The parts are X, YouTube, /],
  ["bin/trials.mjs chaos t2 --only", /^Option '--only <value>' argument missing$/],
  ["bin/trials.mjs chaos t2 --only=", /^--only is empty$/],
  ["bin/trials.mjs trials t13 --from v1.2", /^Unknown option '--from'$/],
  ["bin/trials.mjs trials --seed abc", /^--seed must be a whole number up to 9007199254740991, not abc$/],
  ["bin/trials.mjs trials --seed=", /^--seed must be a whole number up to 9007199254740991, not ""$/],
  ["bin/bench.mjs", /^The name of the benchmark is missing$/],
  ["bin/bench.mjs nonsense", /^There is no benchmark nonsense$/],
  ["bin/bench.mjs api rest", /^Unexpected argument: rest$/],
  ["bin/pictures.mjs phone", /^Unexpected argument: phone$/],
  ["bin/start.mjs 4000", /^Unexpected argument: 4000$/],
  ["bin/start.mjs --dev --worker", /^--dev and --worker cannot be combined$/],
  ["bin/test.mjs --long lib/time", /^--long runs all long tests and takes no other argument$/],
  ["bin/check.mjs types", /^Unexpected argument: types$/],
])("%s says what is wrong before it builds anything", async (command, sentence) => {
  const { code, out, said } = await run(...command.split(" "));
  expect([code, out]).toEqual([2, ""]);
  expect(said.split("\n")[0]).toMatch(sentence);
  expect(said.split("\n")[1]).toMatch(/^Usage: /);
});

test.each<[command: "chaos" | "trials", names: string[], given: { only?: string[]; from?: string }, problem: RegExp]>([
  ["trials", ["t13", "nonsense"], {}, /^There is no trial nonsense\. The trials are t13, .*, intruder$/],
  ["chaos", ["toString"], {}, /^There is no trial toString\. The trials are t1, t2, /],
  ["chaos", ["t2", "t1"], { only: ["x"] }, /^t1 has no parts, so --only cannot choose one$/],
  [
    "chaos",
    ["t2", "t26"],
    { only: ["bluesky"] },
    /^No part of t26 has "bluesky" in its name\. The parts are embedded /,
  ],
  ["chaos", ["t1"], { from: "v1.2" }, /^Only t29 upgrades from another release, so --from needs it$/],
])("npm run %s %j %j is refused", (command, names, given, problem) => {
  expect(chooseTrials(command, names, given).problem).toMatch(problem);
});

test("trials are chosen by name, in any case, and a part by a text in its name", () => {
  const { trials, problem } = chooseTrials("chaos", ["T2", "t32"], { only: ["blue"] });
  expect([trials.map(({ id }) => id), problem]).toEqual([["T2", "T32"], undefined]);
});

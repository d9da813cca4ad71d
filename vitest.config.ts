import { defineConfig } from "vitest/config";

/**
 * These change what holds for a whole process (its settings, its clock, what it has counted) or measure it, so each has one of
 * its own. The others share one: reading the product's modules anew takes longer than most files' tests.
 */
const ALONE = [
  "cli/**/*.test.ts",
  "lib/api/limit.test.ts",
  "lib/db/*.test.ts",
  "lib/jobs/fail-point.test.ts",
  "lib/log.test.ts",
  "lib/mail/smtp.test.ts",
  "lib/media/corpus.test.ts",
  "lib/media/staged.test.ts",
  "lib/media/workshop/*.test.ts",
  "lib/oauth/flow.test.ts",
  "lib/schedules/publish/lost-answers.test.ts",
  "lib/schedules/check/not-set-up.test.ts",
  "lib/schedules/publish/pinterest-carousel-off.test.ts",
  "lib/schedules/publish/youtube-quota.test.ts",
  "lib/secrets.test.ts",
];
/**
 * What is promised of media whichever store they are kept in: run by `together` with the embedded one, and by `s3` with a
 * bucket. Once the others have ended, and one after the other: workers take any job of the run, and must have its store.
 */
const ON_BOTH_STORES = [
  "lib/media/{clean-up,conversions,keep,serve}.test.ts",
  "lib/media/upload*.test.ts",
  "lib/api/routes/{imports,media,posts-imports}*.test.ts",
];
/** Asks a server that has to be installed first, which takes as long as many of the other tests: `bin/test.mjs` runs it last. */
const SERVER = ["lib/networks/bluesky/real-server.test.ts"];
const ALL = [
  "lib/**/*.test.ts",
  "components/**/*.test.ts",
  "cli/**/*.test.ts",
  "sandbox/**/*.test.ts",
  "bin/**/*.test.ts",
];

const resolve = { alias: { "@": import.meta.dirname } };
const test = {
  setupFiles: ["e2e/setup/vitest-process.ts"],
  pool: "forks" as const,
  // One file at a time, however many cores there are: what a file arms in the sandbox strikes the next call of any, and its
  // workers take whatever is due. What runs at once has a database and a sandbox of its own (`bin/test.mjs`).
  maxWorkers: 1,
  // Waiting costs nothing where a test is quick; it saves a verdict about the machine where it is busy.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 45_000 } },
};

export default defineConfig({
  test: {
    // Not of each project: one database, one sandbox and one store for all of them.
    globalSetup: ["e2e/setup/bundle.mjs", "e2e/setup/vitest.ts"],
    projects: [
      { resolve, test: { ...test, name: "together", include: ALL, exclude: [...ALONE, ...SERVER], isolate: false } },
      { resolve, test: { ...test, name: "alone", include: ALONE } },
      {
        resolve,
        test: {
          ...test,
          name: "s3",
          include: ON_BOTH_STORES,
          setupFiles: [...test.setupFiles, "lib/testing/on-s3.ts"],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      { resolve, test: { ...test, name: "server", include: SERVER } },
    ],
  },
});

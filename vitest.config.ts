import { defineConfig } from "vitest/config";

/**
 * These files measure the memory of the process, load modules again or open the database elsewhere, so each runs in its own process. All others share
 * processes, because importing the product takes longer than most files' tests: they restore the settings that they change.
 */
const ALONE = ["lib/db/pgbouncer.test.ts", "lib/media/corpus.test.ts", "lib/secrets.test.ts"];
/**
 * The guarantees of media and of the copies of the counts hold for both stores: the project `together` runs these files with the embedded store, and `s3`
 * runs them again with a bucket. `s3` runs last, because a worker takes any due job of the run and must use the right store.
 */
const ON_BOTH_STORES = [
  "lib/installation/check.test.ts",
  "lib/media/{clean-up,conversions,keep,serve}.test.ts",
  "lib/media/upload*.test.ts",
  "lib/api/routes/{imports,media,posts-imports}*.test.ts",
];
const ALL = [
  "lib/**/*.test.ts",
  "components/**/*.test.ts",
  "cli/**/*.test.ts",
  "sandbox/**/*.test.ts",
  "bin/**/*.test.ts",
];

/**
 * One file at a time in each place, with its own database and sandbox (`e2e/setup/vitest.ts`): a fault that a file arms in the sandbox
 * hits the next call of any file, and its workers take any due job. `bin/test.mjs` sets the number of places.
 */
const maxWorkers = Number(process.env.TEST_PLACES ?? 1);

const resolve = { alias: { "@": import.meta.dirname } };
const test = {
  setupFiles: ["e2e/setup/vitest-process.ts"],
  pool: "forks" as const,
  // Projects and runs share the transformed modules.
  experimental: { fsModuleCache: true, fsModuleCachePath: ".cache/vitest" },
  maxWorkers,
  // All networks at once in the concurrent tests, which mostly wait (lib/schedules/publish/lost-answers.test.ts).
  maxConcurrency: 10,
  // A long limit costs nothing when a test is fast, and avoids failures that only show that the machine is busy.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 45_000 } },
};

export default defineConfig({
  test: {
    maxWorkers,
    // Shared by all projects.
    globalSetup: ["e2e/setup/bundle.mjs", "e2e/setup/vitest.ts"],
    projects: [
      { resolve, test: { ...test, name: "together", include: ALL, exclude: ALONE, isolate: false } },
      { resolve, test: { ...test, name: "alone", include: ALONE, sequence: { groupOrder: 1 } } },
      {
        resolve,
        test: {
          ...test,
          name: "s3",
          include: ON_BOTH_STORES,
          setupFiles: [...test.setupFiles, "lib/testing/on-s3.ts"],
          isolate: false,
          maxWorkers: 1, // the store does not answer several files at once in time
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

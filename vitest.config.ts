import { defineConfig } from "vitest/config";
import { BucketInLastShard } from "./e2e/setup/sequencer.ts";

/**
 * These files measure the memory or the time of the process, load modules again or open the database elsewhere, so each runs in
 * its own process. All others share one process, because importing the product takes longer than most files' tests: they
 * restore the settings that they change.
 */
const ALONE = [
  "components/time/zone.test.ts",
  "lib/db/{gate,open,pgbouncer}.test.ts",
  "lib/linear-time.test.ts",
  "lib/media/corpus.test.ts",
  "lib/secrets.test.ts",
];
/**
 * The guarantees of media and of the copies of the counts hold for both stores: the project `together` runs these files with
 * the embedded store, and `s3` runs them again with a bucket. `s3` runs last, because a worker takes any due job of the run
 * and must use the right store.
 */
const ON_BOTH_STORES = [
  "lib/installation/check.test.ts",
  "lib/media/{clean-up,conversions,keep,serve}.test.ts",
  "lib/media/upload*.test.ts",
  "lib/api/routes/{imports,imports-failed,media,media-objects}.test.ts",
];
const ALL = [
  "lib/**/*.test.ts",
  "components/**/*.test.ts",
  "cli/**/*.test.ts",
  "sandbox/**/*.test.ts",
  "bin/**/*.test.ts",
  "packages/*/{,src/**/}*.test.ts",
];

/** Takes many minutes: `npm run test:long`. */
const LONG = "lib/**/*.long.test.ts";
/** These files have more cases in the long run (lib/testing/breadth.ts). */
const WITH_MORE_CASES = [
  "lib/api/isolation.test.ts",
  "lib/api/routes/hostile-urls.test.ts",
  "lib/networks/described.test.ts",
  "lib/networks/text/{count,weighted}.test.ts",
  "lib/schedules/check/every-network.test.ts",
  "lib/schedules/publish/{comment,lost-answers,never-doubled-networks,publish-every-network}.test.ts",
  "packages/{sandbox,sdk}/src/package.test.ts",
  "sandbox/faults.test.ts",
];

/** No test imports styles, so the plugins of `postcss.config.mjs` are not loaded. */
const vite = { resolve: { alias: { "@": import.meta.dirname } }, css: { postcss: {} } };
const test = {
  setupFiles: ["e2e/setup/vitest-process.ts"],
  pool: "forks" as const,
  // Projects and shards share the transformed modules.
  experimental: { fsModuleCache: true, fsModuleCachePath: ".cache/vitest" },
  // One file at a time: a fault that a file arms in the sandbox hits the next call of any file, and its workers take any due
  // job. Shards can run at once, because each has its own database and sandbox (`bin/test.mjs`).
  maxWorkers: 1,
  // A larger space for young objects, so that a long run collects garbage less often.
  execArgv: ["--max-semi-space-size=64"],
  // All networks at once in the concurrent tests, which mostly wait (lib/schedules/publish/lost-answers.test.ts).
  maxConcurrency: 10,
  // A long limit costs nothing when a test is fast, and avoids failures that only show that the machine is busy.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 45_000 } },
};

export default defineConfig({
  css: vite.css,
  test: {
    // Shared by all projects: one database, one sandbox and one store.
    globalSetup: ["e2e/setup/bundle.mjs", "e2e/setup/vitest.ts"],
    sequence: { sequencer: BucketInLastShard },
    projects: [
      { ...vite, test: { ...test, name: "together", include: ALL, exclude: [...ALONE, LONG], isolate: false } },
      { ...vite, test: { ...test, name: "alone", include: ALONE, execArgv: [] } },
      {
        ...vite,
        test: {
          ...test,
          name: "long",
          include: [LONG, ...WITH_MORE_CASES],
          env: { TEST_BREADTH: "all" },
          execArgv: [],
        },
      },
      {
        ...vite,
        test: {
          ...test,
          name: "s3",
          include: ON_BOTH_STORES,
          setupFiles: [...test.setupFiles, "lib/testing/on-s3.ts"],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

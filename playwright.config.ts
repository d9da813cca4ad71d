import { defineConfig } from "playwright/test";

const isRoot = process.getuid?.() === 0;
/** Journeys with their own project. */
const OTHER_PROJECTS = ["processes/*", "spec/*", "connect/*", "pages/*"];

/** Marks tests of a long run with its own command. */
const LONG = /@long/;
const DESKTOP = { viewport: { width: 1280, height: 800 } };

export default defineConfig({
  testDir: "e2e",
  // Builds before any test, so that no product spends its start-up time on a build.
  globalSetup: [
    "./e2e/setup/build.mjs",
    "./e2e/setup/shared-product.ts",
    "./e2e/setup/empty-cluster.ts",
    "./e2e/chaos/rig.ts",
  ],
  outputDir: "test-results/e2e",
  // Workers wait for about half of their time, so two cores can run three next to the unit tests. More make each test slower
  // and the run no faster.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Longer than a product may take to start on a busy machine, so that a slow start is reported by the start itself.
  timeout: 300_000,
  // A long limit costs nothing when a page is fast, and avoids failures that only show that the machine is busy.
  expect: { timeout: 45_000 },
  reporter: [["list"]],
  use: {
    locale: "en-GB",
    actionTimeout: 60_000,
    screenshot: "only-on-failure",
    // A trace of every step doubles the time of each test; a failure has a screenshot and the content of the page.
    trace: "off",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: process.env.CHROME_PATH,
      args: ["--disable-background-networking", ...(isRoot ? ["--no-sandbox"] : [])],
    },
  },
  projects: [
    // Journeys without a browser in which processes are killed, started twice or replaced. `bin/test.mjs` runs them at the
    // same time as the unit tests.
    { name: "processes", testMatch: "processes/*.spec.ts", grepInvert: LONG, workers: 3 },
    // SPEC and the protocol of the connect bridge over HTTP. One worker, so that all files share one product.
    { name: "http", testMatch: ["spec/*.spec.ts", "connect/*.spec.ts"], grepInvert: LONG, workers: 1 },
    // Run by `npm run test:long`: what is the same for each network, tried on every network, and the long forms of the others.
    { name: "long", testMatch: ["connect/*.spec.ts", "processes/*.spec.ts"], grep: LONG, workers: 1 },
    // Run by `npm run test:long`: all journeys, and axe checks every part of each page that they look at.
    { name: "long-desktop", testMatch: "*.spec.ts", testIgnore: OTHER_PROJECTS, use: DESKTOP },
    // The connect pages and the mails, each checked at several widths.
    { name: "pages", testMatch: "pages/*.spec.ts", workers: 1 },
    {
      // Only journeys whose layout or controls differ on a phone; `look` checks every other page at the width of a phone too.
      // Those that are also tagged @long are the same on a desktop, where only `npm run test:long` repeats them.
      name: "phone",
      testMatch: "*.spec.ts",
      testIgnore: OTHER_PROJECTS,
      grep: /@phone/,
      workers: 1,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: "desktop",
      testMatch: "*.spec.ts",
      testIgnore: OTHER_PROJECTS,
      grepInvert: LONG,
      use: DESKTOP,
    },
    // Takes the README's pictures (`npm run pictures`).
    { name: "pictures", testMatch: "pictures.ts", use: { viewport: { width: 1280, height: 860 } } },
  ],
});

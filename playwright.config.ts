import { defineConfig } from "@playwright/test";

const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/setup/build.mjs",
  outputDir: "test-results/e2e",
  // Each waits often enough that two cores carry four.
  workers: 4,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Longer than a product may take to become ready on a busy machine, so that it is that start which says so.
  timeout: 300_000,
  // Waiting costs nothing where a page is quick; it saves a verdict about the machine where it is busy.
  expect: { timeout: 45_000 },
  reporter: [["list"]],
  use: {
    locale: "en-GB",
    actionTimeout: 60_000,
    screenshot: "only-on-failure",
    // Recording every step doubles the time of each; a failure has its picture and what stood on the page.
    trace: "off",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: process.env.CHROME_PATH,
      args: ["--disable-background-networking", ...(isRoot ? ["--no-sandbox"] : [])],
    },
  },
  projects: [
    // Journeys without a browser: processes that are killed, started twice, moved. `bin/test.mjs` runs them beside the unit tests.
    { name: "processes", testMatch: "processes/*.spec.ts", workers: 3 },
    // The specification, by HTTP alone. One worker, so that one product serves all its chapters.
    { name: "spec", testMatch: "spec/*.spec.ts", workers: 1 },
    // The connect bridge's protocol, by HTTP alone.
    { name: "connect", testMatch: "connect/*.spec.ts", workers: 1 },
    // Its pages, each of which is looked at in every width.
    { name: "pages", testMatch: "pages/*.spec.ts" },
    {
      name: "desktop",
      testMatch: "*.spec.ts",
      testIgnore: ["processes/*", "spec/*", "connect/*", "pages/*"],
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: "phone",
      testMatch: "*.spec.ts",
      testIgnore: ["processes/*", "spec/*", "connect/*", "pages/*"],
      // What does not hang on the screen.
      grepInvert: /@once/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});

import { spawn } from "node:child_process";
import { readArguments } from "./arguments.mjs";
import { ensureInstalled } from "./install.mjs";

// Takes the README's screenshots again: `npm run pictures`. They are written to docs/images.

readArguments({ usage: "npm run pictures" });
await ensureInstalled({ dev: true });
const { findBrowser } = await import("./browser.mjs");
const browser = await findBrowser();
if (!browser) {
  console.error("The pictures need a browser: set CHROME_PATH to a Chromium");
  process.exit(1);
}
const args = ["node_modules/playwright/cli.js", "test", "--project=pictures"];
spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...browser } }).once("exit", (code) => {
  process.exitCode = code ?? 1;
});

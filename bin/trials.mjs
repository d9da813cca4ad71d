import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

// Runs the long trials of the built product: npm run chaos|trials -- [t1 …] [--short] [--seed N]
await ensureInstalled({ dev: true });
const { bundle, buildNext } = await import("./build.mjs");
const { findBrowser } = await import("./browser.mjs");
await bundle();
await buildNext();
const browser = await findBrowser(); // a trial without one says which part it leaves out
const args = ["--import", "tsx", join(root, "e2e/trials/main.ts"), ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...browser } });
child.on("exit", (code) => process.exit(code ?? 1));

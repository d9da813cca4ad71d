import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

// Runs the long trials of the built product: npm run chaos|trials -- [t1 …] [--short] [--seed N]
await ensureInstalled({ dev: true });
const { bundle, buildNext } = await import("./build.mjs");
await bundle();
await buildNext();
const args = ["--import", "tsx", join(root, "e2e/trials/main.ts"), ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));

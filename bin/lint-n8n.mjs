// Checks the nodes for n8n with n8n's linter and the compiler. `npm run check` runs it. Their packages are installed beside the project
// (bin/n8n.mjs). If that fails, it says so and nothing is checked.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lock.mjs";
import { ensureN8n } from "./n8n.mjs";

const folder = join(root, "packages/n8n-nodes-carillon");

await ensureN8n();
if (existsSync(join(root, ".cache/n8n/installed"))) {
  const linted = run(".cache/n8n/node_modules/eslint/bin/eslint.js", ".", "--max-warnings", "0");
  const compiled = run("node_modules/typescript-7/bin/tsc", "-p", ".");
  process.exitCode = linted && compiled ? 0 : 1;
}

function run(script, ...args) {
  return spawnSync(process.execPath, [join(root, script), ...args], { cwd: folder, stdio: "inherit" }).status === 0;
}

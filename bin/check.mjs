import { spawn } from "node:child_process";
import { join } from "node:path";
import { readArguments } from "./arguments.mjs";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

const CHECKS = [
  { name: "format and lint", run: ["@biomejs/biome/bin/biome", "ci", "--colors=off", "."] },
  // The native compiler (ADR 60). Its threads would each check shared types again, and the other checks use the other cores.
  { name: "types", run: ["typescript-7/bin/tsc", "--noEmit", "--singleThreaded", "-p", "."] },
  {
    name: "import order",
    run: ["dependency-cruiser/bin/dependency-cruise.mjs", "--config", ".dependency-cruiser.cjs", "."],
  },
  // It reports every change of the API since the last release too.
  { name: "OpenAPI document", run: ["../bin/lint-openapi.mjs"], isReport: true },
  { name: "known vulnerabilities", run: ["../bin/audit.mjs"] },
  { name: "nodes for n8n", run: ["../bin/lint-n8n.mjs"] },
  { name: "unused code", run: ["knip/bin/knip.js", "--no-progress"] },
];

readArguments({ usage: "npm run check" });
await ensureInstalled({ dev: true });
const results = await Promise.all(CHECKS.map(check));
process.exit(results.every(Boolean) ? 0 : 1);

async function check({ name, run: [script, ...args], isReport = false }) {
  const since = Date.now();
  const child = spawn(process.execPath, [join(root, "node_modules", script), ...args], { cwd: root, stdio: "pipe" });
  let output = "";
  const keep = (data) => {
    output += data;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const code = await new Promise((resolve) => child.on("error", () => resolve(1)).on("close", resolve));
  const seconds = ((Date.now() - since) / 1000).toFixed(1);
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (code !== 0 || isReport) console.log(output.trim().replace(/^/gm, "    "));
  return code === 0;
}

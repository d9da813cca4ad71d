// Builds the package into dist/: one CommonJS file for each node and credential, as n8n loads them, with the SDK inside, because
// nodes may have no dependencies. `npm pack` runs it. With --lint, it checks the source with n8n's linter instead.
import { spawnSync } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { installBeside } from "../../bin/beside.mjs";

const folder = import.meta.dirname;
const { n8n } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
const sources = [...n8n.credentials, ...n8n.nodes].map((file) => file.replace("dist/", "").replace(/js$/, "ts"));

if (process.argv.includes("--lint")) await lint();
else await buildAll();

async function buildAll() {
  await rm(join(folder, "dist"), { recursive: true, force: true });
  await build({
    ...{ absWorkingDir: folder, entryPoints: sources, outdir: "dist", outbase: ".", logLevel: "error" },
    ...{ bundle: true, format: "cjs", platform: "node", target: "node18", external: ["n8n-workflow"] },
  });
  await cp(join(folder, "icons"), join(folder, "dist/icons"), { recursive: true });
}

/** n8n's linter is large and only this package needs it, so it is no development dependency of the project. */
async function lint() {
  await installBeside({
    name: "n8n's linter",
    folder: "n8n-linter",
    packages: {
      "@n8n/eslint-plugin-community-nodes": "0.32.0",
      eslint: "9.29.0",
      "typescript-eslint": "8.35.0",
    },
    without: "the nodes are not linted",
    patienceMs: 300_000,
  });
  const linter = join(folder, "../../.cache/n8n-linter/node_modules/eslint/bin/eslint.js");
  const args = [linter, ".", "--max-warnings", "0"];
  process.exitCode = spawnSync(process.execPath, args, { cwd: folder, stdio: "inherit" }).status ?? 1;
}

// Builds the package into dist/: one CommonJS file for each node and credential, as n8n loads them, with the SDK inside, because
// nodes may have no dependencies. `npm pack` runs it.
import { copyFile, cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
const { n8n } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
const sources = [...n8n.credentials, ...n8n.nodes].map((file) => file.replace("dist/", "").replace(/js$/, "ts"));

await rm(join(folder, "dist"), { recursive: true, force: true });
await build({
  ...{ absWorkingDir: folder, entryPoints: sources, outdir: "dist", outbase: ".", logLevel: "error" },
  ...{ bundle: true, format: "cjs", platform: "node", target: "node18", external: ["n8n-workflow"] },
});
await cp(join(folder, "icons"), join(folder, "dist/icons"), { recursive: true });
await copyFile(join(folder, "../../LICENSE"), join(folder, "LICENSE"));

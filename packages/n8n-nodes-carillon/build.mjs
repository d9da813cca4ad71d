// Builds the package into dist/: one CommonJS file for each node and credential, as n8n loads them, with the SDK inside, because
// nodes may have no dependencies. `npm pack` runs it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { builtFilesOf, replaceFiles } from "../../bin/package-files.mjs";

const folder = import.meta.dirname;
const { n8n } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
const sources = [...n8n.credentials, ...n8n.nodes].map((file) => file.replace("dist/", "").replace(/js$/, "ts"));

const scripts = await build({
  ...{ absWorkingDir: folder, entryPoints: sources, outdir: "dist", outbase: ".", logLevel: "error", write: false },
  ...{ bundle: true, format: "cjs", platform: "node", target: "node18", external: ["n8n-workflow"] },
});
const icons = (await readdir(join(folder, "icons"))).map(async (name) => [
  `dist/icons/${name}`,
  await readFile(join(folder, "icons", name)),
]);
await replaceFiles(folder, {
  ...builtFilesOf(folder, scripts),
  ...Object.fromEntries(await Promise.all(icons)),
  LICENSE: await readFile(join(folder, "../../LICENSE")),
});

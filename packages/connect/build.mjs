// Builds the package into dist/: one script and one file with the types for each entry. `npm pack` runs it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { generateDtsBundle } from "dts-bundle-generator";
import { build } from "esbuild";
import { builtFilesOf, replaceFiles } from "../../bin/package-files.mjs";

const folder = import.meta.dirname;
const at = (path) => join(folder, path);
const scripts = await build({
  ...{ entryPoints: [at("src/index.ts"), at("src/element.ts")], outdir: at("dist"), logLevel: "error", write: false },
  ...{ bundle: true, format: "esm", platform: "browser", target: "es2022", minify: true },
});
const entries = ["index", "element"];
// The types of the elements are global. The other file must not repeat them.
const sources = entries.map((entry) => ({
  filePath: at(`src/${entry}.ts`),
  output: { noBanner: true, inlineDeclareGlobals: entry === "element" },
}));
// All at once, because each call compiles the package again.
const types = generateDtsBundle(sources, { preferredConfigPath: at("tsconfig.json") });
await replaceFiles(folder, {
  ...builtFilesOf(folder, scripts),
  ...Object.fromEntries(entries.map((entry, index) => [`dist/${entry}.d.ts`, types[index]])),
  LICENSE: await readFile(at("../../LICENSE")),
});

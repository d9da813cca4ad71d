// Builds the package into dist/: one script and one file with the types for each entry. `npm pack` runs it.
// It replaces the files of an earlier build without removing them first, so that two builds at once both pack all files.
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateDtsBundle } from "dts-bundle-generator";
import { build } from "esbuild";

const at = (path) => join(import.meta.dirname, path);
await build({
  ...{ entryPoints: [at("src/index.ts"), at("src/element.ts")], outdir: at("dist"), logLevel: "error" },
  ...{ bundle: true, format: "esm", platform: "browser", target: "es2022", minify: true },
});
const entries = ["index", "element"];
const sources = entries.map((entry) => ({ filePath: at(`src/${entry}.ts`), output: { noBanner: true } }));
// All at once, because each call compiles the package again.
const types = generateDtsBundle(sources, { preferredConfigPath: at("tsconfig.json") });
await copyFile(at("../../LICENSE"), at("LICENSE"));
await Promise.all(entries.map((entry, index) => writeFile(at(`dist/${entry}.d.ts`), types[index])));

// Builds the package into dist/: one script and one file with the types. `npm pack` runs it.
// It replaces the files of an earlier build without removing them first, so that two builds at once both pack all files.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateDtsBundle } from "dts-bundle-generator";
import { build } from "esbuild";

const at = (path) => join(import.meta.dirname, path);
const config = { preferredConfigPath: at("tsconfig.json") };
const [types] = generateDtsBundle(
  [
    {
      filePath: at("src/index.ts"),
      output: { noBanner: true },
      libraries: { importedLibraries: ["@carillon/openapi"] },
    },
  ],
  config,
);
await build({
  ...{ entryPoints: [at("src/index.ts")], outfile: at("dist/index.js"), logLevel: "error" },
  ...{ bundle: true, format: "esm", platform: "neutral", target: "es2022", minify: true },
});
await writeFile(at("dist/index.d.ts"), types);

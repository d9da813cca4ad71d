// Builds the package into dist/: one script and one file with the types. `npm pack` runs it.
import { join } from "node:path";
import { generateDtsBundle } from "dts-bundle-generator";
import { build } from "esbuild";
import { builtFilesOf, replaceFiles } from "../../bin/package-files.mjs";

const folder = import.meta.dirname;
const at = (path) => join(folder, path);
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
const script = await build({
  ...{ entryPoints: [at("src/index.ts")], outfile: at("dist/index.js"), logLevel: "error", write: false },
  ...{ bundle: true, format: "esm", platform: "neutral", target: "es2022", minify: true },
});
await replaceFiles(folder, { ...builtFilesOf(folder, script), "dist/index.d.ts": types });

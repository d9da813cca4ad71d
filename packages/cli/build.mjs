// Builds the package into dist/: one script that contains the SDK, so that `npx` has nothing else to install. `npm pack` runs it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { builtFilesOf, replaceFiles } from "../../bin/package-files.mjs";

const folder = import.meta.dirname;
const script = await build({
  ...{
    entryPoints: [join(folder, "src/cli.ts")],
    outfile: join(folder, "dist/cli.js"),
    logLevel: "error",
    write: false,
  },
  ...{ bundle: true, format: "esm", platform: "node", target: "node18.3", minify: true },
  banner: { js: "#!/usr/bin/env node" },
});
const LICENSE = await readFile(join(folder, "../../LICENSE"));
await replaceFiles(folder, { ...builtFilesOf(folder, script), LICENSE }, ["dist/cli.js"]);

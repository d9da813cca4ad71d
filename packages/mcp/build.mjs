// Builds the package into dist/: one script with the SDK inside. `npm pack` runs it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { builtFilesOf, replaceFiles } from "../../bin/package-files.mjs";

const folder = import.meta.dirname;
const script = await build({
  ...{ absWorkingDir: folder, entryPoints: ["src/cli.ts"], outfile: "dist/cli.js", logLevel: "error", write: false },
  ...{ bundle: true, format: "esm", platform: "node", target: "node20" },
  external: ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio", "zod"],
  banner: { js: "#!/usr/bin/env node" },
});
await replaceFiles(folder, {
  ...builtFilesOf(folder, script),
  LICENSE: await readFile(join(folder, "../../LICENSE")),
});

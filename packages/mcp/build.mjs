// Builds the package into dist/: one script with the SDK inside. `npm pack` runs it.
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
await rm(join(folder, "dist"), { recursive: true, force: true });
await build({
  ...{ absWorkingDir: folder, entryPoints: ["src/cli.ts"], outfile: "dist/cli.js", logLevel: "error" },
  ...{ bundle: true, format: "esm", platform: "node", target: "node20" },
  external: ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio", "zod"],
  banner: { js: "#!/usr/bin/env node" },
});
await copyFile(join(folder, "../../LICENSE"), join(folder, "LICENSE"));

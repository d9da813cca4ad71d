// Builds the package into dist/: one script that contains the SDK, so that `npx` has nothing else to install. `npm pack` runs it.
import { chmod, copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
const script = join(folder, "dist/cli.js");

await rm(join(folder, "dist"), { recursive: true, force: true });
await build({
  ...{ entryPoints: [join(folder, "src/cli.ts")], outfile: script, logLevel: "error" },
  ...{ bundle: true, format: "esm", platform: "node", target: "node18.3", minify: true },
  banner: { js: "#!/usr/bin/env node" },
});
await chmod(script, 0o755);
await copyFile(join(folder, "../../LICENSE"), join(folder, "LICENSE"));

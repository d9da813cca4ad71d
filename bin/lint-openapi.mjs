// Generates the API's OpenAPI document from the routes and lints it with Redocly's recommended rules.
// `npm run check` runs this as one of its checks.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { register } from "tsx/esm/api";
import { root } from "./lock.mjs";

// The document names the addresses in the settings. A separate data folder keeps the linter from writing to the checkout.
const folder = await mkdtemp(join(tmpdir(), "carillon-openapi-"));
process.env.DATA_DIR = join(folder, "data");
register();
const { openApiDocument } = await import("../lib/api/index.ts");
const file = join(folder, "openapi.json");
await writeFile(file, JSON.stringify(openApiDocument(), null, 2));
const redocly = join(root, "node_modules/@redocly/cli/bin/cli.js");
const { status } = spawnSync(process.execPath, [redocly, "lint", "--extends=recommended", "--format=stylish", file], {
  stdio: "inherit",
  env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
});
await rm(folder, { recursive: true });
process.exit(status ?? 1);

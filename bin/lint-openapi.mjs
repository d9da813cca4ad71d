// Lints the API's OpenAPI document with Redocly's recommended rules and reports what changed since the last release. It fails if a rule
// is broken or if a change can break a program. `npm run check` runs this as one of its checks; both parts share the document, whose
// generation loads the whole API.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { productDocument } from "../packages/openapi/build.mjs";
import { reportChanges } from "../packages/openapi/changes.mjs";
import { root } from "./lock.mjs";

const document = await productDocument();
const isLinted = await lint(document);
const isCompatible = await reportChanges(document);
process.exit(isLinted && isCompatible ? 0 : 1);

async function lint(document) {
  const folder = await mkdtemp(join(tmpdir(), "carillon-openapi-"));
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document, null, 2));
  const redocly = join(root, "node_modules/@redocly/cli/bin/cli.js");
  const args = [redocly, "lint", "--extends=recommended", "--format=stylish", file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  await rm(folder, { recursive: true });
  // Warnings are not failures and would hide the report of changes.
  if (status !== 0) console.log(`${stdout}${stderr}`);
  return status === 0;
}

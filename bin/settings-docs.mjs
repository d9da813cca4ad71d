// Writes docs/settings.md and .env.example from the table of settings in lib/env/settings.ts.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { register } from "tsx/esm/api";
import { root } from "./lock.mjs";

register();
const { envExample, settingsMarkdown } = await import("../lib/env/docs.ts");
await writeFile(join(root, "docs/settings.md"), settingsMarkdown());
await writeFile(join(root, ".env.example"), envExample());

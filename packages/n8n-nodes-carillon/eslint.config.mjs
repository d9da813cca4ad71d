// The configuration of n8n's linter, which `npm run lint` installs beside the project.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const beside = createRequire(join(import.meta.dirname, "../../.cache/n8n-linter/package.json"));
const { config } = await import(pathToFileURL(beside.resolve("@n8n/node-cli/eslint")));

export default config;

// The rules of n8n's linter, which `npm run lint -w @carillon/n8n-nodes-carillon` installs beside the project.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const beside = createRequire(join(import.meta.dirname, "../../.cache/n8n-linter/package.json"));
const load = (name) => import(pathToFileURL(beside.resolve(name)));
const { n8nCommunityNodesPlugin } = await load("@n8n/eslint-plugin-community-nodes");
const { parser } = (await load("typescript-eslint")).default;

export default [
  { ignores: ["dist/", "*.test.ts", "*.mjs"] },
  {
    files: ["**/*.ts", "package.json"],
    languageOptions: { parser, parserOptions: { extraFileExtensions: [".json"] } },
  },
  // n8n Cloud allows no timers, which the SDK uses while it waits.
  n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport,
];

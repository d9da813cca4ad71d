// The rules of n8n's linter, which bin/n8n.mjs installs beside the project.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const beside = createRequire(join(import.meta.dirname, "../../.cache/n8n/package.json"));
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
  {
    files: ["package.json"],
    // These require an author with an email address and a homepage. Whoever publishes the package adds them.
    rules: {
      "@n8n/community-nodes/require-homepage": "off",
      "@n8n/community-nodes/valid-author": "off",
    },
  },
];

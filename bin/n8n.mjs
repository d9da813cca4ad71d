import { installBeside } from "./beside.mjs";

/**
 * Installs n8n's types and its linter (104 MB), which only `packages/n8n-nodes-carillon` needs. Without them, its nodes are not checked and
 * their tests are skipped.
 */
export function ensureN8n() {
  return installBeside({
    name: "n8n's types and linter",
    folder: "n8n",
    packages: {
      "@n8n/eslint-plugin-community-nodes": "0.32.0",
      eslint: "9.29.0",
      // The newest that installs on Node 20: later versions compile a native package.
      "n8n-workflow": "2.10.0",
      "typescript-eslint": "8.35.0",
    },
    without: "the nodes for n8n are not checked",
    patienceMs: 300_000,
  });
}

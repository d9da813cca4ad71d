import { installBeside, NOTHING } from "./beside.mjs";

/**
 * Installs client libraries that others wrote (100 MB) for the tests that publish to the sandbox with them.
 * `sandbox/testing/clients.ts` expects them there. Without them, those tests are skipped.
 */
export function ensureClients() {
  return installBeside({
    name: "Client libraries of the networks",
    folder: "clients",
    // The newest of each that runs on Node 20.
    packages: {
      "@atproto/api": "0.19.0",
      "@googleapis/youtube": "34.1.0",
      "facebook-nodejs-business-sdk": "24.0.1",
      grammy: "1.46.0",
      "linkedin-api-client": "0.3.0",
      "pinterest-node-api": "0.0.9",
      "twitter-api-v2": "1.29.1",
    },
    without: "the tests that publish with them are skipped",
    patienceMs: 300_000,
  });
}

/**
 * Installs the official tools that check a server of the Model Context Protocol (145 MB) for `e2e/spec/mcp.spec.ts`, which skips
 * its tests with them if they are missing. They need the newer Node that `ensureNodeVersions` installs.
 */
export function ensureMcpTools() {
  return installBeside({
    name: "Inspector and test suite of the Model Context Protocol",
    folder: "mcp",
    packages: { "@modelcontextprotocol/conformance": "0.1.16", "@modelcontextprotocol/inspector": "2.12.0" },
    without: "the tests that run them are skipped",
    patienceMs: 300_000,
  });
}

/**
 * Installs grammars (125 MB) for `e2e/connect/mobile.spec.ts`, which parses the examples for iOS and Android with them and skips those
 * tests if they are missing.
 */
export function ensureGrammars() {
  return installBeside({
    name: "Grammars of Swift and Kotlin",
    folder: "grammars",
    packages: {
      "@tree-sitter-grammars/tree-sitter-kotlin": "1.1.0",
      "tree-sitter": "0.22.4",
      "tree-sitter-swift": "0.7.1",
    },
    // Tools of the grammars' authors, which parsing does not need.
    overrides: { "npm-check-updates": NOTHING, "tree-sitter-cli": NOTHING },
    without: "the tests that parse the examples of docs/connect-from-mobile.md are skipped",
    patienceMs: 180_000,
  });
}

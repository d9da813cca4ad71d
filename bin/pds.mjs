import { installBeside } from "./beside.mjs";

/**
 * Tries to install Bluesky's server for the tests of its adapter: the newest version that runs on Node 20, and one of 2024, without
 * granular scopes. They share most packages (300 MB). `lib/networks/bluesky/testing/real-server.ts` expects them there. Without them,
 * the tests against them are skipped.
 */
export function ensurePds() {
  return installBeside({
    name: "Bluesky's servers",
    folder: "bluesky-servers",
    packages: {
      "@atproto/pds": "0.4.217",
      "pds-2024": "npm:@atproto/pds@0.4.73",
      "@did-plc/server": "0.0.1",
    },
    // SQLite with the same interface. Its package contains the binary, so that no machine has to compile SQLite.
    overrides: { "better-sqlite3": "npm:libsql@0.5.29" },
    without: "the tests against them are skipped",
    patienceMs: 180_000,
  });
}

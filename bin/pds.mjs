import { installBeside } from "./beside.mjs";

/**
 * Tries to install Bluesky's server (250 MB) for the tests of its adapter. `lib/networks/bluesky/testing/real-server.ts` expects
 * it there. Without it, those tests are skipped.
 */
export function ensurePds() {
  return installBeside({
    name: "Bluesky's server",
    folder: "pds",
    packages: { "@atproto/pds": "0.4.217", "@did-plc/server": "0.0.1" }, // the newest of each that runs on Node 20
    // SQLite with the same interface. Its package contains the binary, so that no machine has to compile SQLite.
    overrides: { "better-sqlite3": "npm:libsql@0.5.29" },
    without: "the tests against it are skipped",
    patienceMs: 180_000,
  });
}

import { installBeside, NOTHING } from "./beside.mjs";

/**
 * Tries to install Bluesky's server for the tests of its adapter: the newest version that runs on Node 20, and one of 2024, without
 * granular scopes. They share most packages (240 MB). `lib/networks/bluesky/testing/real-server.ts` expects them there. Without them,
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
    overrides: {
      // SQLite with the same interface. Its package contains the binary, so that no machine has to compile SQLite.
      "better-sqlite3": "npm:libsql@0.5.29",
      // A fifth of all files, which our tests never use: storage on Amazon S3, a generator of code, and a library of which only types are used.
      "@atproto/aws": NOTHING,
      "@atproto/lex-builder": NOTHING,
      rxjs: NOTHING,
    },
    without: "the tests against them are skipped",
    patienceMs: 180_000,
  });
}

import { installBeside } from "./beside.mjs";

/** The versions of Bluesky's server that the adapter is tested with, by the folder below `.cache`. */
const VERSIONS = {
  pds: { name: "Bluesky's server", version: "0.4.217" }, // the newest that runs on Node 20
  "pds-2024": { name: "Bluesky's server of 2024", version: "0.4.73" }, // without granular scopes
};

/**
 * Tries to install Bluesky's server (250 MB each) for the tests of its adapter. `lib/networks/bluesky/testing/real-server.ts`
 * expects it there. Without a version, the tests against it are skipped.
 */
export function ensurePds() {
  return Promise.all(
    Object.entries(VERSIONS).map(([folder, { name, version }]) =>
      installBeside({
        name,
        folder,
        packages: { "@atproto/pds": version, "@did-plc/server": "0.0.1" },
        // SQLite with the same interface. Its package contains the binary, so that no machine has to compile SQLite.
        overrides: { "better-sqlite3": "npm:libsql@0.5.29" },
        without: "the tests against it are skipped",
        patienceMs: 180_000,
      }),
    ),
  );
}

import { join } from "node:path";
import { installBeside } from "./beside.mjs";
import { root } from "./lock.mjs";

/**
 * Tries to install Bluesky's server (250 MB, with a native module) for the tests of its adapter.
 * `lib/networks/bluesky/testing/real-server.ts` expects it there. Without it, those tests are skipped.
 */
export function ensurePds() {
  return installBeside({
    name: "Bluesky's server",
    folder: "pds",
    packages: { "@atproto/pds": "0.4.217", "@did-plc/server": "0.0.1" }, // the newest of each that runs on Node 20
    without: "the tests against it are skipped",
    patienceMs: 1_200_000, // it compiles while the other tests run
    env: { CC: join(root, "bin/quick/cc"), CXX: join(root, "bin/quick/c++") },
  });
}

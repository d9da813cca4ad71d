import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";

const PROXY = "/usr/bin/swift-proxy-server";
const PACKAGES = ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"];

/**
 * Installs the S3-compatible server that the tests of the S3 store run against, where that is possible. They start it
 * themselves, on ports and data of its own, and are skipped by name where it is missing.
 */
export async function ensureSwift() {
  if (existsSync(PROXY)) return;
  console.log("S3: no server found, trying apt-get install of OpenStack Swift …");
  await aptInstall(...PACKAGES);
  if (!existsSync(PROXY)) console.log(`S3: no server (${PACKAGES.join(", ")}): the tests of the S3 store are skipped`);
}

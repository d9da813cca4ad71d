import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";

const PROXY = "/usr/bin/swift-proxy-server";
const PACKAGES = ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"];

/**
 * Tries to install OpenStack Swift, the S3-compatible server for the tests of the S3 store. The tests start it on their own
 * ports and data, and are skipped if it is missing.
 */
export async function ensureSwift() {
  if (existsSync(PROXY)) return;
  console.log("S3: no server found, installing OpenStack Swift with apt-get …");
  await aptInstall(...PACKAGES);
  if (!existsSync(PROXY)) console.log(`S3: no server (${PACKAGES.join(", ")}): the tests of the S3 store are skipped`);
}

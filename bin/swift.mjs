import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const PROXY = "/usr/bin/swift-proxy-server";
const PACKAGES = ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"];

/**
 * Installs the S3-compatible server that the tests of the S3 store run against, where that is possible. They start it
 * themselves, on ports and data of its own, and are skipped by name where it is missing.
 */
export async function ensureSwift() {
  if (existsSync(PROXY)) return;
  const possible = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (possible) {
    console.log("S3: no server found, trying apt-get install of OpenStack Swift …");
    const install = () => aptGet("install", "-y", "--no-install-recommends", ...PACKAGES);
    if (!(await install()) && (await aptGet("update"))) await install();
  }
  if (!existsSync(PROXY)) console.log(`S3: no server (${PACKAGES.join(", ")}): the tests of the S3 store are skipped`);
}

async function aptGet(...args) {
  const child = spawn("apt-get", args, {
    stdio: "ignore",
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return new Promise((resolve) => child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)));
}

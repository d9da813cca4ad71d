import { spawn } from "node:child_process";

/** Tries to install system packages (as root on Debian-based systems). Reports nothing: the caller checks the result. */
export async function aptInstall(...packages) {
  if (process.getuid?.() !== 0) return;
  const install = () => aptGet("install", "-y", "--no-install-recommends", ...packages);
  if (!(await install()) && (await aptGet("update"))) await install();
}

async function aptGet(...args) {
  const child = spawn("apt-get", args, {
    stdio: "ignore",
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return new Promise((resolve) => child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)));
}

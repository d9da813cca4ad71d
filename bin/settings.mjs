import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";

/**
 * Reads all settings, as the service will, before anything long begins; says what is wrong with each wrong one and ends.
 */
export async function checkSettings() {
  try {
    const { env, SettingsError } = await import("../dist/env.js");
    const wrong = await folderProblem(env.dataDir);
    if (wrong) throw new SettingsError([`DATA_DIR: ${wrong}. Example: DATA_DIR=/var/lib/carillon`]);
  } catch (error) {
    failWith(error);
  }
}

/** Why a folder cannot be made or written to; undefined where it can. */
async function folderProblem(path) {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = { EEXIST: "is a file, not a folder", ENOTDIR: "leads through a file", EACCES: "may not be written to" };
    return `"${path}" ${why[error.code] ?? `cannot be used (${error.code})`}`;
  }
}

/** Ends the process over an error: one line for what a person can mend, everything for the rest. */
export function failWith(error) {
  if (error?.name === "SettingsError") {
    console.error("Carillon cannot start with these settings:");
    for (const problem of error.problems) console.error(`  ✗ ${problem}`);
  } else if (error?.syscall === "listen") {
    const why = {
      EADDRINUSE: "is in use: stop what uses it, or set another",
      EACCES: "may not be opened: set another",
    };
    console.error(
      `PORT: port ${error.port} ${why[error.code] ?? error.message}. Example: PORT=${error.port < 1024 ? 3000 : error.port + 1}`,
    );
  } else {
    const mendable = ["DataDirInUse", "SandboxFailed"].includes(error?.name);
    console.error(mendable ? error.message : error);
  }
  process.exit(1);
}

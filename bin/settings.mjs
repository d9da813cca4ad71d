import { constants, existsSync } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Loads a bundle and returns its exports. Loading it reads all settings. Prints every problem with them and exits if there is one.
 * @param {"server" | "worker" | "cli" | "env"} entry
 */
export async function load(entry) {
  try {
    const loaded = await import(`../dist/${entry}.js`);
    const problem = await folderProblem(loaded.env.dataDir);
    if (!problem) return loaded;
    failWith({ name: "SettingsError", problems: [`DATA_DIR: ${problem}. Example: DATA_DIR=/var/lib/carillon`] });
  } catch (error) {
    failWith(error);
  }
}

/** Returns why a folder cannot be created or written to, or undefined if it can. */
async function folderProblem(path) {
  try {
    await makeFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = {
      EEXIST: "is a file, not a folder",
      ENOTDIR: "is below a file",
      EACCES: "is not writable",
      ENOENT: "cannot be created: its file system takes no folders there",
    };
    return `"${path}" ${why[error.code] ?? `cannot be used (${error.code})`}`;
  }
}

/** Creates a folder and those above it. With `recursive`, Node never returns below `/proc` and empty mount points of autofs. */
async function makeFolder(path) {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  }
}

/** Exits with an error: one line for an error that the user can fix, everything for any other error. */
export function failWith(error) {
  if (error?.name === "SettingsError") {
    console.error("Carillon cannot start with these settings:");
    for (const problem of error.problems) console.error(`  ✗ ${problem}`);
  } else if (error?.code === "EADDRNOTAVAIL" || (error?.hostname && error.hostname === process.env.HOST)) {
    const host = error.hostname ?? error.address;
    console.error(`HOST: "${host}" is not an address of this machine. Example: HOST=0.0.0.0`);
  } else if (error?.syscall === "listen") {
    const why = {
      EADDRINUSE: "is in use. Stop the program that uses it, or set another port",
      EACCES: "requires more privileges. Set another port",
    };
    const names = ["METRICS_PORT", "HEALTH_PORT"];
    const setting = names.find((name) => process.env[name] === String(error.port)) ?? "PORT";
    console.error(
      `${setting}: port ${error.port} ${why[error.code] ?? error.message}. Example: ${setting}=${error.port < 1024 ? 3000 : error.port + 1}`,
    );
  } else {
    const isFixable = ["DataDirInUse", "SandboxFailed", "WrongSchema"].includes(error?.name);
    console.error(isFixable ? error.message : error);
  }
  process.exit(1);
}

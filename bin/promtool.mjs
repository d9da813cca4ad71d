import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./lock.mjs";

const FOLDER = join(root, ".cache/promtool");

/** Gets promtool, which checks the alert rules, from Debian's package. Where there is none, that test is skipped by name. */
export async function ensurePromtool() {
  if (existsSync(join(FOLDER, "usr/bin/promtool"))) return;
  await mkdir(FOLDER, { recursive: true });
  const download = () => run("apt-get", ["download", "prometheus"]);
  if (!(await download()) && !((await run("apt-get", ["update"])) && (await download()))) return;
  const file = (await readdir(FOLDER)).find((name) => name.endsWith(".deb"));
  if (!file) return;
  await run("sh", ["-c", `dpkg-deb --fsys-tarfile "$0" | tar -x ./usr/bin/promtool`, file]);
  await rm(join(FOLDER, file));
}

/** Runs a program in the folder. Returns whether it succeeded. */
async function run(program, args) {
  const child = spawn(program, args, { cwd: FOLDER, stdio: "ignore", timeout: 120_000 });
  return new Promise((resolve) => child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)));
}

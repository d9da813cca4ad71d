import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";

/**
 * Installs ffmpeg, with which the tests make films of every kind, where that is possible. The product itself does not use
 * it. Tests that need it are skipped by name where it is missing.
 */
export async function ensureFfmpeg() {
  if (hasFfmpeg()) return;
  console.log("Films: no ffmpeg found, trying apt-get install …");
  await aptInstall("ffmpeg");
  if (!hasFfmpeg()) console.log("Films: no ffmpeg: the tests with films made by it are skipped");
}

function hasFfmpeg() {
  return spawnSync("ffmpeg", ["-version"], { stdio: "ignore" }).status === 0;
}

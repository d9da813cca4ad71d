import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";

/**
 * Tries to install ffmpeg, with which the tests create videos. The product does not use it. Tests that need it are skipped if it
 * is missing.
 */
export async function ensureFfmpeg() {
  if (hasFfmpeg()) return;
  console.log("Videos: no ffmpeg found, running apt-get install …");
  await aptInstall("ffmpeg");
  if (!hasFfmpeg()) console.log("Videos: no ffmpeg; the tests that create videos with it are skipped");
}

function hasFfmpeg() {
  return spawnSync("ffmpeg", ["-version"], { stdio: "ignore" }).status === 0;
}

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { perProcess } from "./db/per-process";

const BUILD_ID_LENGTH = 12;

/**
 * Returns the release in package.json and the build that this process runs, such as `0.1.0+3f29ab0c71de`. The build is a hash of
 * the sources, so it is the same on every machine. It is read once: a later build on this machine does not change it.
 */
export function version(): string {
  return perProcess("version", () => {
    const release = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(resolve("package.json"), "utf8")));
    const build = buildId();
    return build ? `${release.version}+${build}` : release.version;
  });
}

/** Development and tests have no bundle. */
function buildId(): string | undefined {
  try {
    return readFileSync(resolve("dist/bundle.stamp"), "utf8").trim().slice(0, BUILD_ID_LENGTH);
  } catch {
    return undefined;
  }
}

import { installBeside } from "./beside.mjs";

/**
 * The Node versions that the start test runs on, in addition to the one that runs `npm test`, each from the npm package `node`.
 */
const VERSIONS = { 24: "24.21.0", 26: "26.10.0" };

/** Installs them below `.cache` for `e2e/processes/node-versions.spec.ts`, which skips a version that is missing. */
export function ensureNodeVersions() {
  return Promise.all(
    Object.entries(VERSIONS).map(([major, version]) =>
      installBeside({
        name: `Node ${major}`,
        folder: `node-${major}`,
        packages: { node: version },
        without: "the start test on this version is skipped",
        patienceMs: 180_000,
      }),
    ),
  );
}

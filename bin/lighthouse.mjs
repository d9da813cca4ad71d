import { installBeside } from "./beside.mjs";

/** Installs Lighthouse (100 MB) for `npm run bench -- pages`; `bench/pages/lighthouse.ts` expects it there. */
export function ensureLighthouse() {
  return installBeside({
    name: "Lighthouse",
    folder: "lighthouse",
    packages: { lighthouse: "12.8.2" }, // the newest that runs on Node 20
    without: "its results are left out",
    patienceMs: 480_000,
  });
}

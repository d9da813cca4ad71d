import { ensureInstalled } from "./install.mjs";

await ensureInstalled({ dev: true });
// The benchmarks measure the product as `npm start` runs it. The build is not measured.
const { buildNext, bundle } = await import("./build.mjs");
await bundle();
await buildNext();
if (process.argv[2] === "pages") {
  const { findBrowser } = await import("./browser.mjs");
  const { ensureLighthouse } = await import("./lighthouse.mjs");
  Object.assign(process.env, await findBrowser());
  await ensureLighthouse();
}
const { register } = await import("tsx/esm/api");
register();
await import("../bench/main.ts");

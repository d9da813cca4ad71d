import { ensureInstalled } from "./install.mjs";

await ensureInstalled({ dev: false });
const { bundle } = await import("./build.mjs");
const { assertSettings, failWith } = await import("./settings.mjs");
try {
  await bundle();
  await assertSettings();
  const { main } = await import("../dist/cli.js");
  await main(process.argv.slice(2));
} catch (error) {
  failWith(error);
}

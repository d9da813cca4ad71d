import { ensureInstalled } from "./install.mjs";

await ensureInstalled({ dev: false });
const { bundle } = await import("./build.mjs");
const { failWith, load } = await import("./settings.mjs");
try {
  await bundle();
  const { main } = await load("cli");
  await main(process.argv.slice(2));
} catch (error) {
  failWith(error);
}

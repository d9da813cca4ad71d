import { ensureInstalled } from "./install.mjs";

const dev = process.argv.includes("--dev");
const worker = process.argv.includes("--worker");

// A reader of what it says may go away: a closed pipe, a log collector that starts anew. Without a listener each write to
// nobody is an uncaught error, which is written down in turn, for ever, while nothing is posted or stopped any more.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

await ensureInstalled({ dev });
const { buildNext, bundle } = await import("./build.mjs");
const { checkSettings, failWith } = await import("./settings.mjs");
try {
  await bundle();
  await checkSettings();
  if (dev) {
    const { serveWhileChanging } = await import("./dev.mjs");
    await serveWhileChanging();
  } else if (worker) {
    const { main } = await import("../dist/worker.js");
    await main();
  } else {
    await buildNext();
    const { main } = await import("../dist/server.js");
    await main({ dev: false });
  }
} catch (error) {
  failWith(error);
}

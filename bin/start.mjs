import module from "node:module";
import { join } from "node:path";
import { readArguments } from "./arguments.mjs";
import { ensureInstalled } from "./install.mjs";
import { root } from "./lock.mjs";

// Node 22.8 and later can keep the compiled code for the next start. Without such a folder, for example if it cannot be written,
// they compile it at each start.
module.enableCompileCache?.(join(root, ".cache/compiled"));

const { values, refuse } = readArguments({
  usage: `npm start, npm run dev, npm run worker
  node bin/start.mjs            the web process and a worker (npm start)
  node bin/start.mjs --dev      from the sources, again after each change (npm run dev)
  node bin/start.mjs --worker   a worker (npm run worker)
  node bin/start.mjs --build    builds everything and ends
  docs/settings.md lists the settings, which are environment variables`,
  options: { dev: { type: "boolean" }, worker: { type: "boolean" }, build: { type: "boolean" } },
});
const { dev = false, worker = false, build = false } = values; // build: for images and installations that start without npm
const modes = Object.keys(values);
if (modes.length > 1) refuse(`--${modes[0]} and --${modes[1]} cannot be combined`);

// The reader of our output may go away (a closed pipe, a restarted log collector). Without a listener, each write would then be
// an uncaught error, whose message would be written and fail again, forever.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// Until the service handles these signals itself. As PID 1 of a container, a process without a handler would ignore them.
const end = () => process.exit(1);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
const letServiceStop = () => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, end);
};

await ensureInstalled({ dev });
const { buildNext, bundle } = await import("./build.mjs");
const { failWith, load } = await import("./settings.mjs");
try {
  await bundle();
  if (build) await buildNext();
  else if (dev) {
    await load("env");
    const { serveWhileChanging } = await import("./dev.mjs");
    letServiceStop();
    await serveWhileChanging();
  } else if (worker) {
    const { main } = await load("worker");
    letServiceStop();
    await main();
  } else {
    const { main } = await load("server"); // before a long build, because it checks the settings
    await buildNext();
    letServiceStop();
    await main({ dev: false });
  }
} catch (error) {
  failWith(error);
}

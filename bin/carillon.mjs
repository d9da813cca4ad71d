import { ensureInstalled } from "./install.mjs";

// As PID 1 of a container, a process without a handler would ignore these signals. `listen` handles them itself.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (process.listenerCount(signal) > 1) return;
    console.error(`Stopped by ${signal}. The command was not finished`);
    process.exit(1);
  });
}

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

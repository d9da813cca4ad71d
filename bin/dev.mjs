import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./lock.mjs";

const SERVER_SOURCES = ["lib", "sandbox", "server.ts", "worker.ts"];
const SETTLE_MS = 200;

/** Serves from the sources, and restarts when a source file of the server changes. */
export async function serveWhileChanging() {
  let child;
  let isRestarting = false;

  const start = () => {
    isRestarting = false;
    child = spawn(process.execPath, ["--import", "tsx", fileURLToPath(import.meta.url)], {
      cwd: root,
      stdio: "inherit",
    });
    child.on("exit", (code) => (isRestarting ? start() : process.exit(code ?? 0)));
  };
  let timer;
  const changed = (_event, file) => {
    if (!file || /\.test\.ts$|~$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      console.error(`${file} changed: restarting …`);
      isRestarting = true;
      child.kill("SIGINT"); // SIGTERM would give requests and load balancers more time
    }, SETTLE_MS);
  };
  for (const source of SERVER_SOURCES) watch(join(root, source), { recursive: true }, changed);
  // The terminal sends Ctrl-C to the server too; this process waits until it has ended.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => signal === "SIGTERM" && child.kill("SIGINT"));
  start();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failWith } = await import("./settings.mjs");
  const { main } = await import("../server.ts");
  await main({ dev: true }).catch(failWith);
}

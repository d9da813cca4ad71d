import path from "node:path";
import { startSandbox } from "./server";

const port = Number(process.env.SANDBOX_PORT ?? 3010);
const dir = path.join(process.env.DATA_DIR ?? ".data", "sandbox");

// A reader that went away is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** Ends this process with one line that says why. */
function giveUp(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  giveUp(`SANDBOX_PORT must be a port number such as 3010, not "${process.env.SANDBOX_PORT}".`);
}

const sandbox = await startSandbox({ port, dir }).catch((error: NodeJS.ErrnoException) =>
  giveUp(
    error.code === "EADDRINUSE"
      ? `The sandbox networks cannot start: port ${port} is in use. Set SANDBOX_PORT to a free one, for example 3011.`
      : `The sandbox networks cannot start: ${error.message}`,
  ),
);

async function stop(): Promise<void> {
  await sandbox.close();
  process.exit(0);
}

process.once("SIGTERM", stop);
process.once("SIGINT", stop);
if (process.send) {
  // The channel closes with the parent, however it died.
  process.once("disconnect", stop);
  process.send({ ready: true, port: sandbox.port }, () => {}); // a parent that is gone by now hears nothing
} else {
  process.stdout.write(`Sandbox networks: ${sandbox.url}\n`);
}

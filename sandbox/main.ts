import path from "node:path";
import { startSandbox } from "./server";

const port = Number(process.env.SANDBOX_PORT ?? 3010);
const dir = path.join(process.env.DATA_DIR ?? ".data", "sandbox");

// A closed output pipe must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** Prints the reason and exits with status 1. */
function exitWith(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  exitWith(`SANDBOX_PORT must be a port number such as 3010, not "${process.env.SANDBOX_PORT}".`);
}

const sandbox = await startSandbox({ port, dir }).catch((error: NodeJS.ErrnoException) =>
  exitWith(
    error.code === "EADDRINUSE"
      ? `The sandbox networks cannot start: port ${port} is in use. Set SANDBOX_PORT to a free port, for example 3011.`
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
  // The IPC channel closes when the parent ends, however it ends.
  process.once("disconnect", stop);
  process.send({ ready: true, port: sandbox.port }, () => {}); // ignores a parent that is already gone
} else {
  process.stdout.write(`Sandbox networks: ${sandbox.url}\n`);
}

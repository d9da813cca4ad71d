import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import next from "next";
import { api, isApiPath } from "./lib/api";
import { openData } from "./lib/db/open";
import { env } from "./lib/env";
import { isRefused } from "./lib/http/gateway";
import { startSandbox } from "./lib/sandbox";
import { work } from "./worker";

/** The web process: the API straight to lib, everything else to Next; by default with a worker and the sandbox beside it. */
export async function main({ dev }: { dev: boolean }): Promise<void> {
  const stopping: (() => Promise<unknown>)[] = [];
  const stop = stopOnSignal(stopping);
  const data = await openData("service", (reason) => stop(`The database is lost: ${reason.message}`));
  stopping.push(() => data.close());
  try {
    if (env.sandbox) stopping.push(await startSandbox(env.sandbox.port));
    const server = await listen(await pages(dev), dev);
    stopping.push(() => close(server));
    if (env.worker) {
      const worker = await work();
      stopping.push(() => worker.stop());
    }
  } catch (error) {
    await undo(stopping);
    throw error;
  }
  console.log(welcome());
}

async function pages(dev: boolean) {
  const app = next({ dev, dir: process.cwd(), hostname: "localhost", port: env.port, quiet: true });
  await app.prepare();
  return app.getRequestHandler();
}

async function listen(
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  dev: boolean,
): Promise<Server> {
  const answer = getRequestListener(api.fetch, { overrideGlobalObjects: false });
  const server = createServer((req, res) => {
    if (isRefused(req, res)) return;
    const path = req.url?.split("?", 1)[0] ?? "/";
    // While developing Next hosts the API too, so that a change to it is seen at once.
    if (!dev && isApiPath(path)) answer(req, res);
    else next(req, res);
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(env.port, resolve));
  return server;
}

function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 5_000).unref();
  return closed;
}

/** Undoes what was started, newest first; what fails does not keep the rest from being undone. */
async function undo(stopping: (() => Promise<unknown>)[]): Promise<void> {
  for (const step of stopping.splice(0).reverse()) await step().catch((error) => console.error(String(error)));
}

/** Ctrl-C and SIGTERM stop everything in order; a second one ends the process at once. */
function stopOnSignal(stopping: (() => Promise<unknown>)[]): (why: string, code?: number) => void {
  let begun = false;
  const stop = (why: string, code = 1) => {
    if (begun) process.exit(1);
    begun = true;
    console.log(why);
    undo(stopping).then(() => process.exit(code));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop("Stopping …", 0));
  return stop;
}

function welcome(): string {
  const sandbox = env.sandbox
    ? `  Sandbox     ${env.sandbox.url}  (simulated networks: nothing leaves this machine)\n`
    : "";
  const worker = env.worker ? "" : "  Worker      off: start one with npm run worker\n";
  return (
    `\nCarillon is ready\n\n  Dashboard   ${env.appUrl}\n  API         ${env.baseUrl}/v1\n${sandbox}${worker}` +
    `  Data        ${env.databaseUrl ? "the database of DATABASE_URL, and " : ""}${env.dataDir}\n\n` +
    `  New here? Sign up at ${env.appUrl}/sign-up\n  Stop with Ctrl-C\n`
  );
}

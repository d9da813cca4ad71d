import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import next from "next";
import { rateLimited } from "./app/rate-limited";
import { api, authLimitedPaths, endLiveStreams, isApiPath } from "./lib/api";
import { openData } from "./lib/db/open";
import { env } from "./lib/env";
import { isRefused } from "./lib/http/gateway";
import { listenerFor } from "./lib/http/node-server";
import { PackedFiles } from "./lib/http/packed-files";
import { guardPage } from "./lib/http/page-policy";
import { announce, keepAddress, keepQuery } from "./lib/http/page-request";
import { startSandbox } from "./lib/jobs/sandbox-process";
import { startStagedFileCleanUp } from "./lib/media";
import { setNextAuthUrl } from "./lib/next-auth-url";
import { work } from "./worker";

type Undo = () => Promise<unknown>;

/** The web process: the API straight to lib, everything else to Next; by default with a worker and the sandbox beside it. */
export async function main({ dev }: { dev: boolean }): Promise<void> {
  setNextAuthUrl();
  const life = new Life();
  const steps: (() => Promise<Undo>)[] = [
    async () => {
      const data = await openData("service", (reason) => life.end(`The database is lost: ${reason.message}`, 1));
      return () => data.close();
    },
    ...(env.sandbox ? [() => startSandbox(env.sandbox?.port ?? 0)] : []),
    async () => {
      const end = startStagedFileCleanUp();
      return async () => end();
    },
    async () => {
      const server = await listen(await pages(dev), dev);
      return () => close(server);
    },
    ...(env.worker ? [async () => (await work()).stop] : []),
  ];
  if (await life.begin(steps)) console.log(welcome());
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
  const answer = listenerFor(api.fetch);
  const files = new PackedFiles(`${process.cwd()}/.next/static`);
  const limited = [...rateLimited, ...authLimitedPaths];
  const server = createServer((req, res) => {
    if (isRefused(req, res, limited)) return;
    const path = req.url?.split("?", 1)[0] ?? "/";
    if (!isApiPath(path) && !path.startsWith("/_next/")) announce(req, res); // the API's answers bring an id of their own
    // While developing Next hosts the API too, so that a change to it is seen at once.
    if (path === "*")
      res.writeHead(405, { allow: "GET, HEAD, POST, PUT, PATCH, DELETE" }).end(); // OPTIONS * is about no page
    else if (!dev && isApiPath(path)) answer(req, res);
    else if (!isDecodable(path))
      res.writeHead(400, { "content-type": "text/plain" }).end("The address is not well-formed\n"); // Next would answer 500
    else if (!dev && path.startsWith("/_next/static/"))
      files.answer(req, res, path).then((isAnswered) => (isAnswered ? undefined : next(req, res)));
    else {
      keepQuery(req);
      keepAddress(req);
      if (!path.startsWith("/_next/")) guardPage(req, res, dev);
      next(req, res);
    }
  });
  server.keepAliveTimeout = 65_000;
  // 100 MB over a slow line take longer than Node's five minutes; how slow a line may be is lib/storage/sender-pace.ts's business.
  server.requestTimeout = 1_800_000;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(env.port, resolve));
  return server;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  endLiveStreams();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 5_000).unref();
  return closed;
}

/**
 * What was started, and how it ends: Ctrl-C and SIGTERM undo it in order, newest first. One that comes while the start is
 * still under way lets the step that is running finish, so that nothing half-begun stays behind; a second one hurries.
 */
class Life {
  private readonly undos: Undo[] = [];
  private starting: Promise<boolean> = Promise.resolve(true);
  private ending = false;

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => this.end("Stopping …", 0));
  }

  /** Takes the steps one after the other. False where an end came in between. */
  begin(steps: (() => Promise<Undo>)[]): Promise<boolean> {
    this.starting = this.take(steps);
    return this.starting;
  }

  private async take(steps: (() => Promise<Undo>)[]): Promise<boolean> {
    try {
      for (const step of steps) {
        if (this.ending) return false;
        this.undos.push(await step());
      }
      return !this.ending;
    } catch (error) {
      await this.undo();
      throw error;
    }
  }

  async end(why: string, code: number): Promise<void> {
    if (this.ending) {
      // Hurried: the database alone is still closed, or it would stay behind.
      setTimeout(() => process.exit(1), 5_000).unref();
      await this.undos[0]?.().catch(() => {});
      process.exit(1);
    }
    this.ending = true;
    console.log(why);
    await this.starting.catch(() => {});
    await this.undo();
    process.exit(code);
  }

  /** What fails does not keep the rest from being undone. */
  private async undo(): Promise<void> {
    for (const step of this.undos.toReversed()) await step().catch((error) => console.error(String(error)));
  }
}

function welcome(): string {
  const sandbox = env.sandbox
    ? `  Sandbox     ${env.sandbox.url}  (simulated networks: nothing leaves this machine)\n`
    : "";
  const worker = env.worker ? "" : "  Worker      off: start one with npm run worker\n";
  return (
    `\nCarillon is ready\n\n  Dashboard   ${env.appUrl}\n  API         ${env.baseUrl}/v1\n  Reference   ${env.appUrl}/docs\n${sandbox}${worker}` +
    `  Data        ${env.databaseUrl ? "the database of DATABASE_URL, and " : ""}${env.dataDir}\n\n` +
    `  New here? Sign up at ${env.appUrl}/sign-up\n  Stop with Ctrl-C\n`
  );
}

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { rateLimited } from "./app/rate-limited";
import { api, endLiveStreams, isApiPath, isUpload } from "./lib/api";
import { inBackground } from "./lib/db";
import { openData } from "./lib/db/open";
import { env } from "./lib/env";
import { type Closing, closingOf, type Patience } from "./lib/http/closing";
import { acceptPageBody } from "./lib/http/form";
import { reportForwarder } from "./lib/http/forwarders";
import { isRefused } from "./lib/http/gateway";
import { answerHealth, startDraining } from "./lib/http/health";
import { addHsts } from "./lib/http/hsts";
import { isOnWrongHost } from "./lib/http/media-host";
import { answerMetrics, serveMetrics } from "./lib/http/metrics";
import { setNextAuthUrl } from "./lib/http/next-auth-url";
import { listenerFor } from "./lib/http/node-server";
import { PackedFiles } from "./lib/http/packed-files";
import { guardPage } from "./lib/http/page-policy";
import { announce, keepAddress, keepClientAddress, keepQuery, shortenUserAgent } from "./lib/http/page-request";
import { acceptPageTarget, acceptTarget, hideForeignHost } from "./lib/http/request-target";
import { bind, createLimitedServer, serverLimits } from "./lib/http/server";
import { reportUnavailable } from "./lib/http/unavailable";
import { onStopSignals, type Stop, watchEventLoop } from "./lib/jobs";
import { startSandbox } from "./lib/jobs/sandbox-process";
import { startStagedFileCleanUp } from "./lib/media";
import { HOLD_FIX, type PublishingPause, publishingPauseNow } from "./lib/schedules";
import { startTracing } from "./lib/tracing";
import { runWorker } from "./worker";

export { env } from "./lib/env";

/** Paths of forms with a file, whose route handlers limit the body themselves. All other pages take only small forms (lib/http/form.ts). */
const largeForms: RegExp[] = [/^\/console\/[^/]+\/do\/branding$/];

type Undo = () => Promise<unknown>;

/** How long the web process still accepts requests after SIGTERM, until a load balancer has noticed that it is not ready. */
const NOTICE_MS = 5_000;
const patience = {
  inOrder: { requestMs: 30_000, awaitsUploads: true },
  soon: { requestMs: 5_000, awaitsUploads: false },
} satisfies { [how in Stop]?: Patience };

/** Starts the web process: the API, Next for all pages and, by default, a worker and the sandbox. */
export async function main({ dev }: { dev: boolean }): Promise<void> {
  setNextAuthUrl();
  const web: Closing[] = [];
  let sandbox: Promise<Undo> | undefined;
  const life = new Life(() => {
    startDraining();
    for (const { announce } of web) announce();
    endLiveStreams();
  });
  const steps: (() => Promise<Undo>)[] = [
    async () => {
      const onLost = (reason: Error) => void life.end(`The database connection was lost: ${reason.message}`, 1);
      const data = await openData("service", { onLost, signal: life.stopping.signal });
      return () => data.close();
    },
    () => startTracing(),
    async () => {
      sandbox = env.sandbox ? startSandbox(env.sandbox.port) : undefined; // needs half a second, in which the pages load
      const started = sandbox?.catch(() => undefined); // the step that listens reports an error
      return async () => (await started)?.();
    },
    async () => {
      const end = startStagedFileCleanUp();
      return async () => end();
    },
    async () => {
      const next = await pages(dev);
      await sandbox;
      web.push(...(await listen(next, dev)));
      const metrics = await serveMetrics();
      return async () => {
        await life.noticed;
        endLiveStreams(); // also those that were opened since the signal
        await Promise.all(web.map(({ close }) => close(patience[life.ending ?? "soon"])));
        for (const server of metrics) server.close().closeAllConnections();
      };
    },
    ...(env.worker ? [async () => (await runWorker()).stop] : []),
    async () => {
      const end = watchEventLoop(); // last, because loading the pages blocks the loop
      return async () => end();
    },
  ];
  if (!(await life.begin(steps))) return;
  const pause = await inBackground(publishingPauseNow).catch(() => undefined); // the health check reports a database that is away
  console.log(welcome(pause));
}

async function pages(dev: boolean) {
  // After its first page, Next takes over every request with an Upgrade header and answers none, although clients such as Java's
  // only offer HTTP/2 with it. Next gets a server that never listens, so that ours answers them. `next dev` needs its own socket.
  const httpServer = dev ? undefined : createServer();
  const app = next({ dev, dir: process.cwd(), hostname: "localhost", port: env.port, quiet: true, httpServer });
  await app.prepare();
  return app.getRequestHandler();
}

async function listen(
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  dev: boolean,
): Promise<Closing[]> {
  const answer = listenerFor(api.fetch);
  const files = new PackedFiles(`${process.cwd()}/.next/static`);
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    if (answerHealth(req, res)) return;
    reportForwarder(req);
    addHsts(req, res);
    if (!acceptTarget(req, res) || isOnWrongHost(req, res)) return;
    const path = req.url?.split("?", 1)[0] ?? "/";
    if (path === "/metrics") return answerMetrics(req, res);
    const isForApi = isApiPath(path);
    // In development, Next serves the API too, so that changes take effect at once.
    if (!dev && isForApi) return answer(req, res); // the API counts its requests, checks its addresses and logs by itself
    if (await isRefused(req, res, rateLimited)) return;
    if (!isForApi && !path.startsWith("/_next/")) announce(req, res); // API responses have their own request ID
    if (!acceptPageTarget(req, res)) return;
    if (!dev && path.startsWith("/_next/static/"))
      files.answer(req, res, path).then((isAnswered) => (isAnswered ? undefined : next(req, res)));
    else if (isForApi || largeForms.some((form) => form.test(path)) || acceptPageBody(req, res)) {
      keepQuery(req);
      keepAddress(req);
      keepClientAddress(req);
      hideForeignHost(req);
      shortenUserAgent(req);
      if (!path.startsWith("/_next/")) guardPage(req, res, dev);
      reportUnavailable(res);
      next(req, res);
    }
  };
  const servers = env.hosts.map(async (host) => {
    const isUploadTo = ({ method, url }: IncomingMessage) => isUpload(method, url);
    const server = createLimitedServer(handle, isUploadTo, serverLimits());
    const closing = closingOf(server, isUploadTo);
    return (await bind(server, env.port, host)) ? [closing] : [];
  });
  return (await Promise.all(servers)).flat();
}

/**
 * The started parts of the process and how to stop them. Ctrl-C and SIGTERM stop them in reverse order. During the start, the
 * current step finishes first, so that nothing is left half-started, or gives up if it waits. A second signal ends the process
 * at once.
 */
class Life {
  private readonly undos: Undo[] = [];
  private starting: Promise<boolean> = Promise.resolve(true);
  /** Aborts when the process is told to stop. */
  readonly stopping = new AbortController();
  /** Undefined while the process is not told to stop. */
  ending: keyof typeof patience | undefined;
  /** Ends when others have had the time to notice that this process stops. */
  noticed: Promise<unknown> = Promise.resolve();

  /** @param announce is called when the process is told to stop */
  constructor(private readonly announce: () => void) {
    onStopSignals((how) => this.end("Stopping …", 0, how === "inOrder" ? how : "soon"));
  }

  /** Runs the steps in order. Returns false if the process was stopped in between. */
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
      if (this.ending && (error as Error).name === "AbortError") return false;
      throw error;
    }
  }

  async end(why: string, code: number, how: keyof typeof patience = "soon"): Promise<void> {
    if (this.ending) {
      // Only the database is still stopped, because it would outlive this process.
      setTimeout(() => process.exit(1), 5_000).unref();
      await this.undos[0]?.().catch(() => {});
      process.exit(1);
    }
    this.ending = how;
    if (how === "inOrder") this.noticed = sleep(NOTICE_MS);
    this.stopping.abort();
    this.announce();
    console.log(why);
    await this.starting.catch(() => {});
    await this.undo();
    process.exit(code);
  }

  /** Stops all parts, even if stopping one of them fails. */
  private async undo(): Promise<void> {
    for (const step of this.undos.toReversed()) await step().catch((error) => console.error(String(error)));
  }
}

function welcome(pause: PublishingPause | undefined): string {
  const sandbox = env.sandbox
    ? `  Sandbox     ${env.sandbox.url}  (simulated networks; nothing leaves this machine)\n`
    : "";
  const mail =
    env.smtpUrl || env.isLocal
      ? ""
      : "  WARNING     SMTP_URL is not set: users can neither confirm their address nor reset their password\n";
  const worker = env.worker ? "" : "  Worker      off; start one with npm run worker\n";
  const publishing = pause ? `  WARNING     ${standstill(pause)}\n` : "";
  return (
    `\nCarillon is ready\n\n  Dashboard   ${env.appUrl}\n  API         ${env.baseUrl}/v1\n  Reference   ${env.appUrl}/docs\n${sandbox}${worker}${mail}${publishing}` +
    `  Data        ${env.databaseUrl ? "the database at DATABASE_URL, and " : ""}${env.dataDir}\n\n` +
    `  New here? Sign up at ${env.appUrl}/sign-up\n  Stop with Ctrl-C\n`
  );
}

/** Says why nothing is published, and what ends that. */
function standstill({ isHeld, reason }: PublishingPause): string {
  if (isHeld) return `Publishing is held: ${reason}. ${HOLD_FIX}`;
  return `Publishing is paused${reason ? ` (${reason})` : ""}. To let it go on: npm run carillon -- publishing resume`;
}

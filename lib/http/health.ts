import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { databasePool } from "../db";
import { schemaProblem } from "../db/migrate";
import { readMigrations } from "../db/migration-files";
import { env } from "../env";
import { keyIdsOf } from "../secrets";
import { store } from "../storage";
import { bind } from "./server";

// `/health/live` and `/health/ready`, for load balancers and orchestrators. Probes come every few seconds from several machines,
// so they are not logged, count against no limit, and share the results of the checks. Each check has one running query at most:
// a database that hangs costs one connection, and the probes that come meanwhile are answered with the problem.

/** "ok", or a sentence with the problem. Anybody can read it, so it contains no address and no message of a driver. */
type Result = "ok" | (string & {});

export type Health = {
  ready: boolean;
  checks: { database: Result; schema: Result; keys: Result; store: Result; draining: boolean };
};

/** How long a check may take, and how long its result is kept. */
const CHECK_MS = 2_000;
const KEPT_MS = 1_000;
/** A bucket may charge for each request. */
const BUCKET_KEPT_MS = 10_000;

let isDraining = false;

/** From now on, this process reports that it is not ready, so that no new work is sent to it. */
export function startDraining(): void {
  isDraining = true;
}

/** Checks whether this process can work. Takes two seconds at most. */
export async function health(): Promise<Health> {
  const [database, schema, keys, stored] = await Promise.all([
    checkDatabase(),
    checkSchema(),
    checkKeys(),
    checkStore(),
  ]);
  const ready = [database, schema, keys, stored].every((result) => result === "ok") && !isDraining;
  return { ready, checks: { database, schema, keys, store: stored, draining: isDraining } };
}

const NOT_CHECKED = "Not checked, because the database does not answer";

const checkDatabase = shared("The database does not answer", KEPT_MS, async () => {
  await databasePool().query("select 1");
  return undefined;
});

/** Read at the start, because the next release may replace the files while this process runs. */
const migrations = readMigrations();

const checkSchema = shared(NOT_CHECKED, KEPT_MS, async () => schemaProblem(databasePool(), migrations));

/** Compares the key of the newest sealed value that every installation has with our keys. */
const checkKeys = shared(NOT_CHECKED, KEPT_MS, async () => {
  const { rows } = await databasePool().query(
    "select substring(private_jwk_sealed from 1 for 4) as id from signing_keys order by created_at desc limit 1",
  );
  const id: Buffer | undefined = rows[0]?.id;
  const isOurs = !id || keyIdsOf("signing key").some((key) => key.equals(id));
  return isOurs ? undefined : "SECRETS_KEY does not contain the key that sealed the newest signing key";
});

/** An object that never exists. To look for it, the bucket must answer. */
const ABSENT = "objects/00000000-0000-0000-0000-000000000000";

const storeKeptMs = env.s3 ? BUCKET_KEPT_MS : KEPT_MS;
const checkStore = shared("The store does not answer, or refuses access", storeKeptMs, async () => {
  if (env.s3) await store.read(ABSENT);
  else await access(env.dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  return undefined;
});

/**
 * A check whose result is kept for a moment. Everybody waits for the same run; if it takes too long, its result is `failed` until
 * it ends.
 * @param failed the result if the check throws or takes too long
 */
function shared(failed: string, keptMs: number, check: () => Promise<string | undefined>): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  function begin(): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Result>((resolve) => {
      timer = setTimeout(resolve, CHECK_MS, failed);
    });
    const forget = () => {
      latest = undefined;
    };
    const result = check()
      .then(
        (problem) => problem ?? "ok",
        () => failed,
      )
      .finally(() => {
        clearTimeout(timer);
        setTimeout(forget, keptMs).unref();
      });
    return Promise.race([result, late]);
  }
  return () => {
    latest ??= begin();
    return latest;
  };
}

/**
 * Answers a request for `/health/live` or `/health/ready`.
 * @returns false if the request is for another path
 */
export function answerHealth(request: IncomingMessage, response: ServerResponse): boolean {
  const path = request.url?.split("?", 1)[0];
  if (path !== "/health/live" && path !== "/health/ready") return false;
  request.resume(); // discards a body, so that the client can read the response
  const send = (status: number, body: object, headers = {}) => {
    const text = JSON.stringify(body);
    const length = { "content-length": Buffer.byteLength(text) };
    response.writeHead(status, {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...length,
      ...headers,
    });
    response.end(request.method === "HEAD" ? undefined : text);
  };
  if (request.method !== "GET" && request.method !== "HEAD")
    send(405, { error: `Use GET for ${path}` }, { allow: "GET, HEAD" });
  else if (path === "/health/live") send(200, { live: true });
  else void health().then((state) => send(state.ready ? 200 : 503, state));
  return true;
}

/** If `HEALTH_PORT` is set, serves only health checks on it. @throws Error with the code EADDRINUSE if the port is in use */
export async function serveHealth(): Promise<Server[]> {
  const { healthPort } = env;
  if (healthPort === undefined) return [];
  const servers = env.hosts.map(async (host) => {
    const server = createServer({ headersTimeout: 30_000, requestTimeout: 30_000 }, (request, response) => {
      if (answerHealth(request, response)) return;
      response.writeHead(404, { "content-type": "text/plain" }).end("Only health checks are served on this port\n");
    });
    return (await bind(server, healthPort, host)) ? [server] : [];
  });
  return (await Promise.all(servers)).flat();
}

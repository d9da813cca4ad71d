import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { isDatabaseAway } from "../db";
import { ApiError, Unauthorized } from "../errors";
import { addressOf } from "../http/client-address";
import { rememberIncoming } from "../http/incoming";
import { addHeaders } from "../http/json";
import { log, logRequest } from "../log";
import { answerPut, serveMedia, serveThumbnail } from "../media";
import { type ErrorKind, PlatformError } from "../networks";
import { answerRevocation, answerTokenRequest, bearerChallenge, wellKnown } from "../oauth";
import { BeingDeleted, isOwnerGone } from "../users";
import { answerCallback, answerDeletion } from "./callbacks";
import { deletionPage } from "./deletion-page";
import { assertSingleHeaders } from "./headers";
import { limitRequests } from "./limit";
import { answerLive } from "./live";
import { makeDocument } from "./openapi";
import type { OpenApi } from "./openapi/types";
import { keepRequest } from "./request-log";
import type { NamedRoute } from "./route";
import * as accounts from "./routes/accounts";
import * as connect from "./routes/connect";
import * as events from "./routes/events";
import * as imports from "./routes/imports";
import * as me from "./routes/me";
import * as media from "./routes/media";
import * as notifications from "./routes/notifications";
import * as posts from "./routes/posts";
import * as postsCsv from "./routes/posts-csv";
import * as postsMerge from "./routes/posts-merge";
import * as postsRepeat from "./routes/posts-repeat";
import * as reviews from "./routes/reviews";
import * as slots from "./routes/slots";
import * as webhooks from "./routes/webhooks";

/** Every route of `/v1`. */
export const routes: NamedRoute[] = [
  accounts,
  connect,
  events,
  imports,
  me,
  notifications,
  media,
  postsCsv, // its paths would be ids of the others, and those of the next
  postsMerge,
  posts,
  postsRepeat,
  reviews,
  slots,
  webhooks,
].flatMap((noun) =>
  Object.entries(noun).map(([name, route]) => ({ ...route, operationId: name.replace(/Route$/, "") })),
);

let document: OpenApi | undefined;

/** The API as OpenAPI 3.1; made once, since nothing in it changes while the process runs. */
export function openApiDocument(): OpenApi {
  document ??= makeDocument(routes);
  return document;
}

/** The paths that the web process answers from here, before Next sees them. */
export function isApiPath(path: string): boolean {
  return (
    /^\/(v1|media|callbacks|live)(\/|$)/.test(path) ||
    Object.hasOwn(wellKnown, path) ||
    /^\/oauth\/(token|revoke)$/.test(path)
  );
}

/** What is answered beside the routes. */
const others = [
  { method: "get", path: "/v1/openapi.json" },
  { method: "get", path: "/media/{id}" },
  { method: "get", path: "/media/{id}/thumbnail" },
  { method: "put", path: "/media/uploads/{owner}/{name}" },
  { method: "get", path: "/live" },
  { method: "post", path: "/callbacks/{network}" },
  { method: "post", path: "/callbacks/{network}/deletion" },
  { method: "get", path: "/callbacks/deletions/{code}" },
  { method: "post", path: "/oauth/token" },
  { method: "post", path: "/oauth/revoke" },
  ...Object.keys(wellKnown).map((path) => ({ method: "get", path })),
];

const paths = new Set([...routes, ...others].map(({ path }) => path));

/** Whether a route with a parameter only seems to be meant: the path is another one's, word for word. */
const isAnothers = (path: string, asked: string) => path !== asked && paths.has(asked);

/** The methods that a path answers to; where one is GET, HEAD is another. None where the path does not exist. */
function methodsOf(path: string): string[] {
  const known = [...routes, ...others].filter(
    (route) =>
      new RegExp(`^${route.path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(path) &&
      !isAnothers(route.path, path),
  );
  const theirs = known.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter((method) => theirs.includes(method));
}

/** A dead permission is the account's state, and no retry mends it. */
const platformStatus = { rejected: 400, reconnect: 409, later: 503, unknown: 503 } as const satisfies Record<
  ErrorKind,
  number
>;

type Own = { Variables: { requestId: string } };

function build(): Hono<Own> {
  const app = new Hono<Own>();
  app.use(async (context, next) => {
    const requestId = randomUUID();
    context.set("requestId", requestId);
    const begun = performance.now();
    rememberIncoming(context.req.raw, context.env);
    await next();
    // Not by context.header: that makes the answer anew for each, with a stream around its stream.
    addHeaders(context.res, {
      "x-request-id": requestId,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    const { method, path } = context.req;
    const { status } = context.res;
    const ms = Math.round(performance.now() - begun);
    logRequest({ requestId, method, path, status, ms });
    const { raw, url } = context.req;
    if (path.startsWith("/v1/")) keepRequest(raw.headers, { requestId, method, url, status, ms });
  });
  app.use("/v1/*", limitRequests);
  app.use("/v1/*", (context, next) => {
    assertSingleHeaders(context.req.raw.headers, context.env);
    return next();
  });
  for (const { method, path, answer } of routes) {
    app.on(method, path.replace(/\{(\w+)\}/g, ":$1"), async (context, next) =>
      isAnothers(path, context.req.path) ? next() : answer(context.req.raw, context.req.param()),
    );
  }
  app.get("/v1/openapi.json", (context) => context.json(openApiDocument()));
  app.get("/media/:id", (context) => serveMedia(context.req.param("id"), context.req.raw));
  app.get("/media/:id/thumbnail", (context) => serveThumbnail(context.req.param("id"), context.req.raw));
  app.put("/media/uploads/:owner/:name", (context) =>
    answerPut(`${context.req.param("owner")}/${context.req.param("name")}`, context.req.raw),
  );
  app.use("/live", limitRequests);
  app.get("/live", (context) => answerLive(context.req.raw));
  app.post("/callbacks/:network", (context) => answerCallback(context.req.param("network"), context.req.raw));
  app.post("/callbacks/:network/deletion", (context) => answerDeletion(context.req.param("network"), context.req.raw));
  app.get("/callbacks/deletions/:code", (context) => deletionPage(context.req.param("code")));
  app.post("/oauth/token", (context) =>
    answerTokenRequest(context.req.raw, addressOf(context.req.raw.headers, context.env) ?? ""),
  );
  app.post("/oauth/revoke", (context) =>
    answerRevocation(context.req.raw, addressOf(context.req.raw.headers, context.env) ?? ""),
  );
  for (const [path, read] of Object.entries(wellKnown)) app.get(path, async (context) => context.json(await read()));
  app.notFound((context) => {
    const { path } = context.req;
    const { method } = context.req.raw;
    const allowed = methodsOf(path);
    if (allowed.length === 0) return context.json({ error: `Route not found: ${method} ${path}` }, 404);
    const allow = allowed.join(", ");
    return context.json({ error: `Method not allowed: ${method} ${path}. Allowed: ${allow}` }, 405, { allow });
  });
  app.onError((error, context) => {
    if (error instanceof Unauthorized) {
      context.header("www-authenticate", bearerChallenge(context.req.raw.headers.has("authorization")));
    }
    if (error instanceof ApiError) return context.json({ error: error.message }, error.status);
    if (isOwnerGone(error)) return context.json({ error: new BeingDeleted().message }, 409);
    if (error instanceof PlatformError) return context.json({ error: error.message }, platformStatus[error.kind]);
    const { method, path } = context.req;
    log.error({ requestId: context.get("requestId"), method, path, error: error.stack }, "a request failed");
    if (isDatabaseAway(error)) return context.json({ error: "The service is not ready; try again in a moment" }, 503);
    return context.json({ error: "Something went wrong on our side" }, 500);
  });
  return app;
}

/** The REST API: nothing of Next, `Request` in and `Response` out. */
export const api = build();

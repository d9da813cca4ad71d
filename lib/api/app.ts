import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { isDatabaseUnavailable } from "../db";
import { ApiError, FreshSignInRequired, InsufficientStorage, Unauthorized } from "../errors";
import { clientAddressOf } from "../http/client-address";
import { addHeaders, TextResponse } from "../http/json";
import { keepNodeRequest } from "../http/node-server";
import { RETRY_AFTER_SECONDS } from "../http/unavailable";
import { log, logRequest } from "../log";
import { answerPut, serveMedia, serveThumbnail } from "../media";
import { recordRequest } from "../metrics";
import { type ErrorKind, PlatformError } from "../networks";
import { answerRevocation, answerTokenRequest, bearerChallenge, wellKnown } from "../oauth";
import { StoreUnavailable, storageErrorOf } from "../storage";
import { traced, traceparentOf } from "../tracing";
import { BeingDeleted, isOwnerGone } from "../users";
import { answerCallback, answerDeletion, deletionPage } from "./callbacks";
import { assertSingleHeaders } from "./headers";
import { limitRequests } from "./limit";
import { answerLive } from "./live";
import { answerMcp } from "./mcp";
import { makeDocument } from "./openapi";
import type { OpenApi } from "./openapi/types";
import { logApiRequest } from "./request-log";
import type { NamedRoute } from "./route";
import * as accountGroups from "./routes/account-groups";
import * as accounts from "./routes/accounts";
import * as applications from "./routes/applications";
import * as connect from "./routes/connect";
import * as events from "./routes/events";
import * as feeds from "./routes/feeds";
import * as imports from "./routes/imports";
import * as me from "./routes/me";
import * as media from "./routes/media";
import * as notifications from "./routes/notifications";
import * as posts from "./routes/posts";
import * as postsCsv from "./routes/posts-csv";
import * as postsMerge from "./routes/posts-merge";
import * as postsRepeat from "./routes/posts-repeat";
import * as reviews from "./routes/reviews";
import * as sessions from "./routes/sessions";
import * as slots from "./routes/slots";
import * as webhooks from "./routes/webhooks";

/** Every route of `/v1`, except the OpenAPI document. */
export const routes: NamedRoute[] = [
  accounts,
  accountGroups,
  applications,
  connect,
  events,
  feeds,
  imports,
  me,
  notifications,
  media,
  postsCsv, // before `posts`, which would read the last part of these paths as an ID; the same applies to the next line
  postsMerge,
  posts,
  postsRepeat,
  reviews,
  sessions,
  slots,
  webhooks,
].flatMap((noun) =>
  Object.entries(noun).map(([name, route]) => ({ ...route, operationId: name.replace(/Route$/, "") })),
);

let document: OpenApi | undefined;

/** The API as OpenAPI 3.1. Built once, because nothing in it changes while the process runs. */
export function openApiDocument(): OpenApi {
  document ??= makeDocument(routes);
  return document;
}

let documentText: string | undefined;

function answerDocument(): Response {
  documentText ??= JSON.stringify(openApiDocument()); // serialized only once, because it is large
  return new TextResponse(documentText, 200, { "content-type": "application/json" });
}

type Env = { Variables: { requestId: string; route?: string } };

/** An endpoint outside of the routes. It needs no access token, or its address or body holds another credential. */
type PublicEndpoint = {
  method: "get" | "post" | "put";
  /** With `{name}` for a parameter. */
  path: string;
  answer(context: Context<Env>): Response | Promise<Response>;
};

const addressIn = (context: Context<Env>) => clientAddressOf(context.req.raw.headers, context.env) ?? "";

/** The endpoints outside of the routes. */
export const publicEndpoints: PublicEndpoint[] = [
  { method: "get", path: "/v1/openapi.json", answer: answerDocument },
  { method: "get", path: "/media/{id}", answer: ({ req }) => serveMedia(req.param("id") ?? "", req.raw) },
  { method: "get", path: "/media/{id}/thumbnail", answer: ({ req }) => serveThumbnail(req.param("id") ?? "", req.raw) },
  {
    method: "put",
    path: "/media/uploads/{owner}/{name}",
    answer: ({ req }) => answerPut(`${req.param("owner")}/${req.param("name")}`, req.raw),
  },
  {
    method: "post",
    path: "/mcp",
    answer: (context) => answerMcp(context, (request) => api.fetch(request), openApiDocument),
  },
  { method: "get", path: "/live", answer: ({ req }) => answerLive(req.raw) },
  {
    method: "post",
    path: "/callbacks/{network}",
    answer: ({ req }) => answerCallback(req.param("network") ?? "", req.raw),
  },
  {
    method: "post",
    path: "/callbacks/{network}/deletion",
    answer: ({ req }) => answerDeletion(req.param("network") ?? "", req.raw),
  },
  { method: "get", path: "/callbacks/deletions/{code}", answer: ({ req }) => deletionPage(req.param("code") ?? "") },
  {
    method: "post",
    path: "/oauth/token",
    answer: (context) => answerTokenRequest(context.req.raw, addressIn(context)),
  },
  {
    method: "post",
    path: "/oauth/revoke",
    answer: (context) => answerRevocation(context.req.raw, addressIn(context)),
  },
  ...Object.entries(wellKnown).map(
    ([path, read]): PublicEndpoint => ({ method: "get", path, answer: async (context) => context.json(await read()) }),
  ),
];

/** The paths that the web process answers from here, without Next. */
export function isApiPath(path: string): boolean {
  return (
    /^\/(v1|media|callbacks|live)(\/|$)|^\/mcp$/.test(path) ||
    Object.hasOwn(wellKnown, path) ||
    /^\/oauth\/(token|revoke)$/.test(path)
  );
}

/** True for the requests that store a file. They may take longer than others; lib/media watches their pace. */
export function isUpload(method = "", url = ""): boolean {
  const path = url.split("?", 1)[0] ?? "";
  return (method === "POST" && path === "/v1/media/upload") || (method === "PUT" && path.startsWith("/media/uploads/"));
}

const paths = new Set([...routes, ...publicEndpoints].map(({ path }) => path));

/** True if the requested path is declared literally, so that a path with a parameter matches it only by accident. */
const isDeclaredElsewhere = (path: string, requested: string) => path !== requested && paths.has(requested);

/** The methods that a path allows, HEAD wherever GET is allowed. Empty if the path does not exist. */
function methodsOf(path: string): string[] {
  const known = [...routes, ...publicEndpoints].filter(
    (route) =>
      new RegExp(`^${route.path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(path) &&
      !isDeclaredElsewhere(route.path, path),
  );
  const declared = known.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter((method) => declared.includes(method));
}

/** `reconnect` is 409 because the account's state is the reason, and a retry cannot succeed. */
const platformStatus = {
  rejected: 400,
  reconnect: 409,
  operator: 503,
  later: 503,
  unknown: 503,
} as const satisfies Record<ErrorKind, number>;

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");

/** What a partner can call for one of its users, such as `GET /v1/posts/:id`. */
const userCalls = new Set([
  ...routes
    .filter(({ scope, forUser }) => scope !== "partner" || forUser)
    .map(({ method, path }) => `${method.toUpperCase()} ${honoPath(path)}`),
  "POST /mcp",
]);

const isForUser = (context: Context) =>
  matchedRoutes(context).some(({ method, path }) => userCalls.has(`${method} ${path}`));

function build(): Hono<Env> {
  const limited = limitRequests(isForUser);
  const app = new Hono<Env>();
  app.use((context, next) => {
    const { raw, method, path } = context.req;
    const requestId = randomUUID();
    context.set("requestId", requestId);
    const parent = traceparentOf(raw.headers.get("traceparent"));
    return traced(method, { kind: "server", parent, attributes: { "http.request.method": method } }, async (note) => {
      const startedAt = performance.now();
      keepNodeRequest(raw, context.env);
      await next();
      // context.header() would rebuild the response for each header and wrap its stream in another one.
      addHeaders(context.res, {
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
      const { status } = context.res;
      const route = context.get("route") ?? "not found";
      const ms = Math.round(performance.now() - startedAt);
      logRequest({ requestId, method, path, status, ms });
      recordRequest(method, route, status, ms);
      note({ "http.route": route, "http.response.status_code": status }, `${method} ${route}`);
      if (path.startsWith("/v1/")) logApiRequest(raw.headers, { requestId, method, url: context.req.url, status, ms });
    });
  });
  app.use("/v1/*", limited);
  app.use("/v1/*", (context, next) => {
    assertSingleHeaders(context.req.raw.headers, context.env);
    return next();
  });
  app.use("/live", limited);
  app.use("/mcp", limited);
  app.use("/mcp", (context, next) => {
    assertSingleHeaders(context.req.raw.headers, context.env);
    return next();
  });
  for (const { method, path, answer } of routes) {
    app.on(method, honoPath(path), (context, next) => {
      if (isDeclaredElsewhere(path, context.req.path)) return next();
      context.set("route", path);
      return answer(context.req.raw, context.req.param());
    });
  }
  for (const { method, path, answer } of publicEndpoints) {
    app.on(method, honoPath(path), (context) => {
      context.set("route", path);
      return answer(context);
    });
  }
  app.notFound((context) => {
    const { path } = context.req;
    const { method } = context.req.raw;
    const allowed = methodsOf(path);
    if (allowed.length === 0) return context.json({ error: `Route not found: ${method} ${path}` }, 404);
    const allow = allowed.join(", ");
    return context.json({ error: `Method not allowed: ${method} ${path}. Allowed: ${allow}` }, 405, { allow });
  });
  app.onError((thrown, context) => {
    const error = storageErrorOf(thrown);
    const { method, path } = context.req;
    if (error !== thrown) log.error({ method, path, error: thrown.stack }, "the disk is full");
    if (error instanceof Unauthorized) {
      context.header("www-authenticate", bearerChallenge(context.req.raw.headers.has("authorization")));
    }
    if (error instanceof FreshSignInRequired) context.header("www-authenticate", error.challenge);
    if (error instanceof InsufficientStorage) context.header("retry-after", String(RETRY_AFTER_SECONDS));
    if (error instanceof ApiError) return context.json({ error: error.message }, error.status);
    if (isOwnerGone(error)) return context.json({ error: new BeingDeleted().message }, 409);
    if (error instanceof PlatformError) return context.json({ error: error.message }, platformStatus[error.kind]);
    log.error({ requestId: context.get("requestId"), method, path, error: error.stack }, "a request failed");
    if (isDatabaseUnavailable(error) || error instanceof StoreUnavailable) {
      context.header("retry-after", String(RETRY_AFTER_SECONDS));
      return context.json({ error: "The service is not ready; try again in a moment" }, 503);
    }
    return context.json({ error: "Something went wrong on our side" }, 500);
  });
  return app;
}

/** The REST API: takes a `Request` and returns a `Response`, independent of Next. */
export const api = build();

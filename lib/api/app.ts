import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { ApiError, Unauthorized } from "../errors";
import { addressOf } from "../http/address";
import { log } from "../log";
import { serveMedia } from "../media";
import { PlatformError } from "../networks";
import { answerRevocation, answerTokenRequest, bearerChallenge, wellKnown } from "../oauth";
import { openApiDocument } from "./openapi";
import type { Route } from "./route";
import * as accounts from "./routes/accounts";
import * as connect from "./routes/connect";
import * as me from "./routes/me";
import * as media from "./routes/media";
import * as posts from "./routes/posts";

/** Every route of `/v1`. */
export const routes: Route[] = [accounts, connect, me, media, posts].flatMap((noun) => Object.values(noun));

/** The paths that the web process answers from here, before Next sees them. */
export function isApiPath(path: string): boolean {
  return /^\/(v1|media)(\/|$)/.test(path) || Object.hasOwn(wellKnown, path) || /^\/oauth\/(token|revoke)$/.test(path);
}

function build(): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    const requestId = randomUUID();
    const begun = performance.now();
    await next();
    context.header("x-request-id", requestId);
    context.header("x-content-type-options", "nosniff");
    if (!context.res.headers.has("cache-control")) context.header("cache-control", "no-store");
    const { method, path } = context.req;
    log.info(
      { requestId, method, path, status: context.res.status, ms: Math.round(performance.now() - begun) },
      "request",
    );
  });
  for (const { method, path, answer } of routes) {
    app.on(method, path.replace(/\{(\w+)\}/g, ":$1"), (context) => answer(context.req.raw, context.req.param()));
  }
  app.get("/v1/openapi.json", (context) => context.json(openApiDocument(routes)));
  app.get("/media/:id", (context) => serveMedia(context.req.param("id"), context.req.raw));
  app.post("/oauth/token", (context) =>
    answerTokenRequest(context.req.raw, addressOf(context.req.raw.headers, context.env)),
  );
  app.post("/oauth/revoke", (context) =>
    answerRevocation(context.req.raw, addressOf(context.req.raw.headers, context.env)),
  );
  for (const [path, read] of Object.entries(wellKnown)) app.get(path, async (context) => context.json(await read()));
  app.notFound((context) => context.json({ error: `Route not found: ${context.req.method} ${context.req.path}` }, 404));
  app.onError((error, context) => {
    if (error instanceof Unauthorized) {
      context.header("www-authenticate", bearerChallenge(context.req.raw.headers.has("authorization")));
    }
    if (error instanceof ApiError) return context.json({ error: error.message }, error.status);
    if (error instanceof PlatformError)
      return context.json({ error: error.message }, error.kind === "rejected" ? 400 : 503);
    log.error({ method: context.req.method, path: context.req.path, error: error.stack }, "a request failed");
    return context.json({ error: "Something went wrong on our side" }, 500);
  });
  return app;
}

/** The REST API: nothing of Next, `Request` in and `Response` out. */
export const api = build();

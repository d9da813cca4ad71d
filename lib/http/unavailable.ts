import type { ServerResponse } from "node:http";
import { isDatabaseTroubled } from "../db";
import { Html, html } from "./html";
import { stillPolicy } from "./page-policy";

/** When a client should try again after a 503 or 507, in seconds. */
export const RETRY_AFTER_SECONDS = 5;

const STYLE = "body{font:1rem/1.5 system-ui,sans-serif;margin:20vh auto;max-width:28rem;padding:0 1rem}";

const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Not available right now</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>Not available right now</h1>
<p>Carillon cannot reach its database. Nothing that you scheduled is lost. Try again in a moment.</p>
</main>
</body>
</html>
`;

const headers = () => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": stillPolicy({ styles: [STYLE] }),
  "cache-control": "no-store",
  "retry-after": String(RETRY_AFTER_SECONDS),
});

/**
 * Replaces a 500 of a page by a 503 with a plain page if the database may be the cause. Next answers every unexpected error
 * with a 500, which tells clients that there is no point in trying again. Whatever is written later is discarded.
 */
export function reportUnavailable(response: ServerResponse): void {
  const { writeHead, write, end } = response;
  let isReplaced = false;

  function replaced(status: unknown): boolean {
    if (isReplaced || response.headersSent || status !== 500 || !isDatabaseTroubled()) return isReplaced;
    isReplaced = true;
    for (const name of response.getHeaderNames()) if (name !== "x-request-id") response.removeHeader(name);
    for (const [name, value] of Object.entries(headers())) response.setHeader(name, value);
    Reflect.apply(writeHead, response, [503]);
    Reflect.apply(end, response, response.req.method === "HEAD" ? [] : [page.markup]);
    return true;
  }

  response.writeHead = (...args: unknown[]) =>
    replaced(args[0]) ? response : Reflect.apply(writeHead, response, args);
  response.write = (...args: unknown[]) => replaced(response.statusCode) || Reflect.apply(write, response, args);
  response.end = (...args: unknown[]) =>
    replaced(response.statusCode) ? response : Reflect.apply(end, response, args);
}

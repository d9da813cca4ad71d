import type { ServerResponse } from "node:http";
import { isDatabaseTroubled } from "../db";
import { errorPage } from "./html";

/** When a client should try again after a 503 or 507, in seconds. */
export const RETRY_AFTER_SECONDS = 5;

const TITLE = "Not available right now";
const TEXT = "Carillon cannot reach its database. Nothing that you scheduled is lost. Try again in a moment.";

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
    const { markup, headers } = errorPage(TITLE, TEXT);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader("retry-after", String(RETRY_AFTER_SECONDS));
    Reflect.apply(writeHead, response, [503]);
    Reflect.apply(end, response, response.req.method === "HEAD" ? [] : [markup]);
    return true;
  }

  response.writeHead = (...args: unknown[]) =>
    replaced(args[0]) ? response : Reflect.apply(writeHead, response, args);
  response.write = (...args: unknown[]) => replaced(response.statusCode) || Reflect.apply(write, response, args);
  response.end = (...args: unknown[]) =>
    replaced(response.statusCode) ? response : Reflect.apply(end, response, args);
}

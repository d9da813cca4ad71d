import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { logRequest } from "../log";

const QUERY = "x-query-as-sent";

/** Gives an answer that the API does not make a request id and a line in the log, as the API's answers have. */
export function announce(request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const begun = performance.now();
  const { method = "" } = request;
  const path = request.url?.split("?", 1)[0] ?? "/";
  response.setHeader("x-request-id", requestId);
  response.once("close", () => {
    logRequest({ requestId, method, path, status: response.statusCode, ms: Math.round(performance.now() - begun) });
  });
}

/** Keeps the query for `queryAsSent`: Next decodes an address and encodes it again, which loses bytes that are no UTF-8. */
export function keepQuery(request: IncomingMessage): void {
  const { url = "" } = request;
  const mark = url.indexOf("?");
  const query = mark < 0 ? "" : url.slice(mark + 1);
  request.headers[QUERY] = query.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

/** A request's query, without the question mark, character for character as it was sent where the server has kept it. */
export function queryAsSent(request: Request): string {
  return request.headers.get(QUERY) ?? new URL(request.url).search.slice(1);
}

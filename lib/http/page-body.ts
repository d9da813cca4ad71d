import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_FORM_BYTES } from "./form";

/**
 * Refuses a request to a page whose body is larger than any of our forms, before Next or next-auth reads it: they keep a body of
 * any size in memory and parse it at once. The body must have a declared length, as every form of a browser has.
 * @returns false if the request has been answered with 411 or 413
 */
export function acceptPageBody(request: IncomingMessage, response: ServerResponse): boolean {
  const { headers } = request;
  const isChunked = headers["transfer-encoding"] !== undefined;
  if (!isChunked && Number(headers["content-length"] ?? 0) <= MAX_FORM_BYTES) return true;
  request.resume(); // discards the body, so that the client can read the response
  const message = isChunked
    ? "Content-Length is missing"
    : `The body is too large: the maximum is ${MAX_FORM_BYTES / 1024} KB`;
  response.writeHead(isChunked ? 411 : 413, { "content-type": "text/plain" }).end(`${message}\n`);
  return false;
}

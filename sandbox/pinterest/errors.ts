import type { Call } from "../core/network";

/** An API v5 error (`Error` of the OpenAPI file). The messages are the file's examples where it has any. */
export class PinterestError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 413 | 429,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export const unauthorized = () => new PinterestError(401, 2, "Authentication failed.");
export const notActivated = () => new PinterestError(401, 3, "Your application consumer type is not supported");
export const notPermitted = () => new PinterestError(403, 29, "You are not permitted to access that resource.");
export const invalidGrantError = () => new PinterestError(401, 283, "The authorization grant is invalid");
export const invalid = (message: string) => new PinterestError(400, 1, message);
/** Not documented: what a gateway or the API may answer to a long body. */
export const tooLong = (status: 400 | 413) =>
  new PinterestError(status, 1, "The size of media_source.data is too large.");
export const boardNotFound = () => new PinterestError(404, 404, "Board not found.");
export const sectionNotFound = () => new PinterestError(404, 404, "Board or section not found.");
export const mediaNotFound = () => new PinterestError(404, 404, "Media not found.");
export const tooManyRequests = () =>
  new PinterestError(
    429,
    8,
    "This request exceeded a rate limit. This can happen if the client exceeds one of the published rate limits or if multiple write operations are applied to an object within a short time window.",
  );
/** The spam filter is not in the OpenAPI file. Only its status and the word "spam" are known. */
export const suspectedSpam = () =>
  new PinterestError(429, 9, "This request was blocked because it looks like spam. Try again later.");

export function notFound(call: Call): Response {
  return call.json({ code: 404, message: `Path not found: ${new URL(call.req.url).pathname}` }, 404);
}

export function internalError(call: Call): Response {
  return call.json({ code: 0, message: "Something went wrong on our end. Sorry about that." }, 500);
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof PinterestError) return call.json({ code: error.code, message: error.message }, error.status);
  process.stderr.write(`${error.stack}\n`);
  return internalError(call);
}

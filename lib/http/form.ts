import type { IncomingMessage, ServerResponse } from "node:http";
import { writePageError } from "./request-target";

/** Larger than any of our forms. */
export const MAX_FORM_BYTES = 65_536;
/**
 * A body that is too large is still received up to this size. To stop earlier would close the connection before the client
 * reads the response.
 */
const MAX_DISCARDED_BYTES = 8 * 1_048_576;

/**
 * Reads a posted form (application/x-www-form-urlencoded) of at most 64 KiB. Returns undefined if the body has another type,
 * is too large, or contains U+0000 or invalid UTF-8.
 */
export async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return undefined;
  const text = await readText(request, MAX_FORM_BYTES);
  if (text === undefined) return undefined;
  const form = new URLSearchParams(text);
  const values = [...form].flat();
  return values.some((value) => value.includes("\0") || value.includes("\ufffd")) ? undefined : form;
}

/** Reads a body as text, with U+FFFD for invalid UTF-8. Returns undefined if it is longer than `maxBytes`. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  return (await readBytes(request, maxBytes))?.toString("utf8");
}

/** Reads a body. Returns undefined if it is longer than `maxBytes`. It never holds more than that in memory. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer | undefined> {
  // HTTP enforces a declared length, so the bytes need not be counted while they arrive.
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= maxBytes) {
    const bytes = Buffer.from(await request.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size <= maxBytes) chunks.push(part.value);
    else if (size > MAX_DISCARDED_BYTES) {
      await reader?.cancel().catch(() => {});
      return undefined;
    }
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

/** How much of a body that no one reads is still received, and for how long: more than the largest upload, and the time for a body. */
const MAX_UNREAD_BYTES = 128 * 1_048_576;
const MAX_UNREAD_MS = 30_000;

/** Receives and drops the rest of a body, and then calls `done`. */
export function hearOut(body: IncomingMessage, done: () => void, maxMs = MAX_UNREAD_MS): void {
  let size = 0;
  const stop = () => {
    clearTimeout(timer);
    body.off("data", count).off("end", stop).off("close", stop);
    done();
  };
  const timer = setTimeout(stop, maxMs).unref();
  const count = (piece: Buffer) => {
    size += piece.length;
    if (size > MAX_UNREAD_BYTES) stop();
  };
  body.removeAllListeners("data"); // a reader that has given up would keep the pieces
  body.on("data", count).once("end", stop).once("close", stop).resume();
}

/**
 * Refuses a request to a page whose body is larger than any of our forms, before Next or next-auth reads it: they keep a body of
 * any size in memory and parse it at once. The body must have a declared length, as every form of a browser has.
 * @returns false if the request has been answered with 411 or 413
 */
export function acceptPageBody(request: IncomingMessage, response: ServerResponse): boolean {
  const { headers } = request;
  const isChunked = headers["transfer-encoding"] !== undefined;
  if (!isChunked && Number(headers["content-length"] ?? 0) <= MAX_FORM_BYTES) return true;
  const kilobytes = MAX_FORM_BYTES / 1024;
  const missing = {
    ...{ status: 411, error: "Content-Length is missing" },
    ...{
      title: "This form could not be read",
      text: "Its length is missing. Nothing was saved. Go back and try again.",
    },
  };
  const tooLarge = {
    ...{ status: 413, error: `The body is too large: the maximum is ${kilobytes} KB`, title: "This form is too long" },
    text: `It can have at most ${kilobytes} KB. Nothing was saved. Go back, shorten the text and try again.`,
  };
  writePageError(request, response, isChunked ? missing : tooLarge);
  hearOut(request, () => response.end());
  return false;
}

import { isFile, readParts } from "../core/multipart";
import type { Call } from "../core/network";

/** A Bot API error: `{"ok":false,…}` with the error code as HTTP status. Source: Bot API, making requests. */
export class BotError extends Error {
  constructor(
    readonly code: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500,
    description: string,
    readonly parameters?: { retry_after?: number; migrate_to_chat_id?: number },
  ) {
    super(description);
  }
}

export function badRequest(text: string): BotError {
  return new BotError(400, `Bad Request: ${text}`);
}

export function tooManyRequests(seconds: number): BotError {
  return new BotError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

export function unauthorized(): BotError {
  return new BotError(401, "Unauthorized");
}

export function onError(call: Call, error: Error): Response {
  const refusal = error instanceof BotError ? error : new BotError(500, "Internal Server Error: restart");
  if (refusal !== error) process.stderr.write(`${error.stack}\n`);
  const { code, message, parameters } = refusal;
  return call.json({ ok: false, error_code: code, description: message, ...(parameters ? { parameters } : {}) }, code);
}

export type Upload = { bytes: Uint8Array; name: string };
/** All parameters as text, and uploaded files by field name. */
export type Parameters = { text: Record<string, string>; files: Map<string, Upload> };

const MAX_BODY = 52_428_800 + 1_048_576;

/** Reads parameters from query, form, JSON or multipart. Source: Bot API, making requests. */
export async function parametersOf(call: Call): Promise<Parameters> {
  const text: Record<string, string> = { ...call.req.query() };
  const files = new Map<string, Upload>();
  const type = call.req.header("content-type") ?? "";
  if (Number(call.req.header("content-length") ?? 0) > MAX_BODY) throw new BotError(413, "Request Entity Too Large");
  if (call.req.method === "GET") return { text, files };
  if (type.startsWith("application/json")) {
    const body: unknown = await call.req.json().catch(() => undefined);
    if (typeof body !== "object" || body === null) throw badRequest("can't parse JSON object");
    for (const [name, value] of Object.entries(body))
      if (value !== null) text[name] = typeof value === "string" ? value : JSON.stringify(value);
  } else if (type.startsWith("application/x-www-form-urlencoded")) {
    Object.assign(text, Object.fromEntries(new URLSearchParams(await call.req.text())));
  } else if (type.startsWith("multipart/form-data")) {
    const parts = await readParts(call);
    if (!parts) throw badRequest("can't parse the multipart body");
    for (const part of parts) {
      const { name = "", filename = "", bytes } = part;
      if (isFile(part)) files.set(name, { bytes, name: filename });
      else text[name] = new TextDecoder().decode(bytes);
    }
  }
  return { text, files };
}

/**
 * Parses a parameter whose value is JSON.
 * @throws BotError
 */
export function jsonParameter(text: Record<string, string>, name: string): unknown {
  const value = text[name];
  if (value === undefined || value === "") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw badRequest(`can't parse ${name} JSON object`);
  }
}

export function isTrue(value: string | undefined): boolean {
  return value?.toLowerCase() === "true" || value === "1";
}

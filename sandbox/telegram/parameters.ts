import { isFile, readParts } from "../core/multipart";
import type { Call } from "../core/network";
import { BotError, badRequest } from "./errors";

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

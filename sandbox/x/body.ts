import type { z } from "zod";
import { isFile, readParts } from "../core/multipart";
import type { Call } from "../core/network";
import { invalidRequest } from "./request";

/**
 * Parses the JSON body by the OpenAPI file.
 * @throws XError that names the first problem as X does
 */
export async function jsonBody<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  if (!call.req.header("content-type")?.startsWith("application/json")) {
    throw invalidRequest("Content-Type header must be application/json");
  }
  const value: unknown = await call.req.json().catch(() => {
    throw invalidRequest("The request body is not valid JSON.");
  });
  return parsed(value, schema);
}

/**
 * Parses multipart, or JSON with base64 `media`. Returns the fields as text and `media` as bytes.
 * @throws XError
 */
export async function mediaBody(
  call: Call,
  names: string[],
): Promise<{ fields: Record<string, string>; media: Uint8Array }> {
  const type = call.req.header("content-type") ?? "";
  const fields: Record<string, string> = {};
  let media: Uint8Array | undefined;
  if (type.startsWith("multipart/form-data")) {
    const parts = await readParts(call);
    if (!parts) throw invalidRequest("The multipart body could not be read.");
    for (const part of parts) {
      const { name = "", bytes } = part;
      if (!isFile(part)) fields[name] = new TextDecoder().decode(bytes);
      else if (name === "media") media = bytes;
      else fields[name] = "";
    }
  } else if (type.startsWith("application/json")) {
    const body: Record<string, unknown> = await call.req.json().catch(() => ({}));
    for (const [name, value] of Object.entries(body)) fields[name] = String(value);
    if (typeof body.media === "string") media = Buffer.from(body.media, "base64");
    delete fields.media;
  } else {
    throw invalidRequest("Content-Type header must be multipart/form-data or application/json");
  }
  const unknown = Object.keys(fields).find((name) => !names.includes(name));
  if (unknown !== undefined) throw notInSchema(unknown);
  if (!media || media.byteLength === 0) throw invalidRequest("$.media: is missing but it is required", { media: [] });
  return { fields, media };
}

export function parsed<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = ["$", ...(issue?.path ?? [])].join(".");
  if (issue?.code === "unrecognized_keys") throw notInSchema([...issue.path, issue.keys[0]].join("."));
  if (issue?.code === "too_big" && issue.origin === "array") {
    throw invalidRequest(`${path}: there must be a maximum of ${issue.maximum} items in the array`, { [path]: [] });
  }
  if (issue?.code === "too_small" && issue.origin === "array") {
    throw invalidRequest(`${path}: there must be a minimum of ${issue.minimum} items in the array`, { [path]: [] });
  }
  throw invalidRequest(`${path}: ${issue?.message ?? "is invalid"}`, { [path]: [] });
}

function notInSchema(name: string) {
  return invalidRequest(`$.${name}: is not defined in the schema and the schema does not allow additional properties`, {
    [`$.${name}`]: [],
  });
}

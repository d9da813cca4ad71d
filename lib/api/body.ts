import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { checkValue } from "../db/storable";
import { ApiError, BadRequest, TooLarge } from "../errors";
import { readBytes } from "../http/form";
import { shapeProblems } from "../http/schema-problems";

const MAX_BYTES = 1_048_576;

/**
 * Reads a JSON body strictly: UTF-8 (RFC 8259, section 8.1), at most 1 MB and 32 levels, no U+0000, no lone surrogates (PostgreSQL would answer those with
 * errors of its own).
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new ApiError(415, "Content-Type must be application/json");
  const bytes = await readBytes(request, MAX_BYTES);
  if (bytes === undefined) throw new TooLarge("The body", "1 MB");
  if (!isUtf8(bytes)) throw new BadRequest("The body is not valid UTF-8");
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new BadRequest("The body is not valid JSON");
  }
  checkValue(body);
  return body;
}

/**
 * Parses by a schema.
 * @throws BadRequest with every problem, each beginning with the field's path: `publications[0].platformSettings cannot be null`
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BadRequest(...shapeProblems(parsed.error.issues, value));
}

import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { assertBoundedJson, assertStorableValue } from "../db/statement";
import { ApiError, BadRequest, TooLarge } from "../errors";
import { readBytes } from "../http/form";
import { schemaProblems } from "../http/schema-problems";

const MAX_CSV_BYTES = 2 * 1_048_576;

/**
 * Reads a body of text/csv (RFC 7111), at most 2 MB. It does not check that the bytes are valid CSV.
 * @throws ApiError (415) for another type, or a charset other than UTF-8; TooLarge
 */
export async function readCsv(request: Request): Promise<Buffer> {
  const [type, ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type?.trim() !== "text/csv") throw new ApiError(415, "Content-Type must be text/csv");
  const charset = parameters.map((one) => /^charset="?([^"\s]*)"?$/.exec(one.trim())?.[1]).find(Boolean);
  if (charset && charset !== "utf-8" && charset !== "utf8") {
    throw new ApiError(415, `The charset must be utf-8, not ${charset}`);
  }
  const bytes = await readBytes(request, MAX_CSV_BYTES);
  if (bytes === undefined) throw new TooLarge("The file", "2 MB");
  return bytes;
}

/** Streams text as a file to download. */
export function csvDownload(name: string, text: AsyncGenerator<string>): Response {
  const headers = {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}"`,
  };
  return new Response(streamOf(text), { headers });
}

/** Streams a JSON text that may be too long to write at once, as a file to download. */
export function jsonDownload(name: string, text: AsyncGenerator<string>): Response {
  const headers = { "content-type": "application/json", "content-disposition": `attachment; filename="${name}"` };
  return new Response(streamOf(text), { headers });
}

/** A failure closes the connection, so that an incomplete text cannot look complete. */
function streamOf(text: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await text.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await text.return(undefined);
    },
  });
}

const MAX_BYTES = 1_048_576;

/**
 * Reads a JSON body strictly: UTF-8 (RFC 8259, section 8.1), at most 1 MB, 32 levels and 30,000 values, without U+0000 or lone surrogates,
 * which PostgreSQL would reject with its own errors.
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new ApiError(415, "Content-Type must be application/json");
  return parseJsonBytes(await readBytes(request, MAX_BYTES));
}

/** Like `readJson`, but a missing or empty body counts as `{}`, whatever its declared type. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  const copy = request.clone();
  const bytes = await readBytes(request, MAX_BYTES);
  return bytes?.length === 0 ? {} : readJson(copy);
}

function parseJsonBytes(bytes: Buffer | undefined): unknown {
  if (bytes === undefined) throw new TooLarge("The body", "1 MB");
  if (!isUtf8(bytes)) throw new BadRequest("The body is not valid UTF-8");
  assertBoundedJson(bytes);
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new BadRequest("The body is not valid JSON");
  }
  assertStorableValue(body);
  return body;
}

/**
 * Parses a value with a schema.
 * @throws BadRequest with every problem, each starting with the field's path: `publications[0].platformSettings cannot be
 * null`
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BadRequest(...schemaProblems(parsed.error.issues, value));
}

import type { z } from "zod";
import { ApiError, BadRequest, TooLarge } from "../errors";

const MAX_BYTES = 1_048_576;
const MAX_DEPTH = 32;

/**
 * Reads a JSON body strictly: at most 1 MB and 32 levels, no U+0000, no lone surrogates (PostgreSQL would answer those with
 * errors of its own).
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new ApiError(415, "Content-Type must be application/json");
  const text = await readText(request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new BadRequest("The body is not valid JSON");
  }
  checkValue(body, "", 0);
  return body;
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > MAX_BYTES) throw new TooLarge("The body", "1 MB");
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function checkValue(value: unknown, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === "string") assertStorable(value, path || "The body");
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    assertStorable(name, "A field's name");
    checkValue(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, depth + 1);
  }
}

function assertStorable(text: string, path: string): void {
  if (text.includes("\0") || !text.isWellFormed()) throw new BadRequest(`${path} holds a character that is not text`);
}

/**
 * Parses by a schema.
 * @throws BadRequest with every problem, each beginning with the field's path: `publications[0].platformSettings cannot be null`
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BadRequest(...parsed.error.issues.filter(isNews).map((issue) => sentenceOf(issue, value)));
}

/** A value of the wrong type is said once: how long it should be besides is no help. */
function isNews(issue: z.core.$ZodIssue, index: number, all: z.core.$ZodIssue[]): boolean {
  const at = pathOf(issue.path);
  return !all.slice(0, index).some((other) => other.code === "invalid_type" && pathOf(other.path) === at);
}

function sentenceOf(issue: z.core.$ZodIssue, input: unknown): string {
  const path = pathOf(issue.path) || "The body";
  const given = issue.path.reduce<unknown>(
    (value, key) => (value as { [key: PropertyKey]: unknown } | null)?.[key],
    input,
  );
  if (given === undefined || given === null) return `${path} cannot be null`;
  switch (issue.code) {
    case "invalid_type":
      return `${path} must be ${withArticle(issue.expected)}`;
    case "invalid_union":
      return `${path} has a wrong type`;
    case "invalid_value":
      return `${path} must be ${issue.values.join(", ").replace(/, ([^,]*)$/, " or $1")}`;
    case "too_small":
      return `${path} must have at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case "too_big":
      return `${path} must have at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case "unrecognized_keys":
      return issue.keys.map((key) => `${issue.path.length > 0 ? `${path}.` : ""}${key} is not a field here`).join("; ");
    default:
      return `${path} ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  }
}

function pathOf(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}${text ? "." : ""}${String(key)}`),
    "",
  );
}

function withArticle(type: string): string {
  const words: { [type: string]: string } = { int: "a whole number", number: "a number", record: "an object" };
  return words[type] ?? `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function unitOf(origin: string, count: number | bigint): string {
  const one = Number(count) === 1;
  if (origin === "string") return one ? " character" : " characters";
  if (origin === "array") return one ? " entry" : " entries";
  return "";
}

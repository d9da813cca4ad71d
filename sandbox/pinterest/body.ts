import { z } from "zod";
import type { Call } from "../core/network";
import { invalid } from "./errors";

/** The JSON body in the shape that the OpenAPI file gives; the first breach is worded as a JSON schema's. */
export async function jsonBody<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  if (!call.req.header("content-type")?.startsWith("application/json"))
    throw invalid("The content type must be application/json");
  const value: unknown = await call.req.json().catch(() => {
    throw invalid("The request body is not valid JSON.");
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(wordsOf(parsed.error.issues[0]));
}

function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  const at = issue?.path.join(".") || "body";
  switch (issue?.code) {
    case "unrecognized_keys":
      return `Additional properties are not allowed ('${issue.keys[0]}' was unexpected)`;
    case "too_big":
      return `Invalid ${at}: constraint: max${issue.origin === "array" ? "Items" : "Length"}=${issue.maximum}`;
    case "too_small":
      return `Invalid ${at}: constraint: min${issue.origin === "array" ? "Items" : "Length"}=${issue.minimum}`;
    case "invalid_format":
      return `'${at}' does not match '^\\\\d+$'`;
    default:
      return `Invalid ${at}: ${issue?.message}`;
  }
}

/** A text of so many characters, counted as JSON Schema counts: in code points. */
export function textOf(max: number) {
  return z
    .string()
    .refine((text) => [...text].length <= max, `constraint: maxLength=${max}`)
    .nullish();
}

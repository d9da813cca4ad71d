import type { z } from "zod";
import type { Call } from "../core/network";
import { badShape, badValue, LinkedInRefusal } from "./errors";

/** The JSON body in its documented shape; the first breach is named in the words of Rest.li. */
export async function jsonBody<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  const value: unknown = await call.req.json().catch(() => {
    throw new LinkedInRefusal(400, "ILLEGAL_ARGUMENT", "Request body could not be converted to data map");
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = `/${[...(issue?.path ?? [])].join("/")}`;
  if (issue?.code === "unrecognized_keys") {
    throw badShape(`${at === "/" ? "" : at}/${issue.keys[0]} :: unrecognized field found but not allowed`);
  }
  if (valueAt(value, issue?.path ?? []) === undefined) {
    throw badShape(`${at} :: field is required but not found and has no default value`);
  }
  throw badValue(`${at} :: ${issue?.message}`);
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<PropertyKey, unknown> | undefined)?.[name], value);
}

import { config, type ZodType } from "zod";
import type { Problem } from "@/lib/errors";
import { schemaProblems } from "@/lib/http/schema-problems";

// For speed zod would make functions from texts, which our pages forbid (ADR 16). Said before the first schema is made.
config({ jitless: true });

/** What the API would say is wrong with a body, a problem for each field. */
export function problemsIn(schema: ZodType, body: unknown): Problem[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : schemaProblems(parsed.error.issues, body);
}

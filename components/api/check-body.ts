import { config, type ZodType } from "zod";
import type { Problem } from "@/lib/errors";
import { schemaProblems } from "@/lib/http/schema-problems";

// zod compiles schemas with `new Function` for speed, which our content security policy forbids (ADR 16). This must
// run before the first schema is created.
config({ jitless: true });

/** Returns the problems that the API would report, one per field. */
export function problemsIn(schema: ZodType, body: unknown): Problem[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : schemaProblems(parsed.error.issues, body);
}

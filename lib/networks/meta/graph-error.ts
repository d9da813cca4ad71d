import { z } from "zod";
import type { ErrorFacts } from "../errors";

const code = z.union([z.number(), z.string()]).optional();
const envelope = z.object({
  error: z.object({
    message: z.string().optional(),
    code,
    error_subcode: code,
    is_transient: z.boolean().optional(),
    error_user_msg: z.string().optional(),
  }),
});

/**
 * Reads the Graph API's error envelope (developers.facebook.com/docs/graph-api/guides/error-handling). The code has the form
 * `190/463` (code/subcode), prefixed with `transient ` if Meta marks it so. Returns undefined for answers of another shape.
 */
export function readGraphError(answer: unknown): ErrorFacts | undefined {
  const error = envelope.safeParse(answer).data?.error;
  if (!error) return undefined;
  const full = error.error_subcode === undefined ? `${error.code}` : `${error.code}/${error.error_subcode}`;
  const message = [error.message, error.error_user_msg].filter(Boolean).join(" ");
  return { code: error.is_transient ? `transient ${full}` : full, message };
}

import { z } from "zod";

const bounds = z.object({ min: z.number().optional(), max: z.number().optional() });

const PatchOperation = z
  .object({
    op: z.enum(["add", "replace", "remove"]),
    path: z.string().meta({ description: "A JSON Pointer (RFC 6901) into the body" }),
    value: z.unknown().optional().meta({ description: "What `add` and `replace` put there" }),
  })
  .meta({ id: "PatchOperation", description: "RFC 6902" });

export const ProblemView = z
  .object({
    path: z
      .string()
      .meta({ description: "The field: `publications[0].posts[1].content`; empty for the body as a whole" }),
    message: z.string(),
    rule: z.string().meta({ description: "A stable name for the rule, such as `text.length` or `media.unknown`" }),
    measured: z.union([z.number(), z.string()]).optional(),
    limit: z.union([z.number(), z.string(), z.array(z.string()), bounds]).optional(),
    source: z.url().optional().meta({ description: "The network's own page on it" }),
    fix: z.string().optional().meta({ description: "What to do about it" }),
    apply: z.array(PatchOperation).optional().meta({
      description: "A JSON Patch of the body after which this problem is gone; absent where a person must decide",
    }),
    severity: z.literal("warning").optional().meta({ description: "Only said; the schedule is taken all the same" }),
  })
  .meta({ id: "Problem" });

/** What validating answers: every problem, with its numbers where there are any. */
export const ValidationView = z.object({ valid: z.boolean(), problems: z.array(ProblemView) }).meta({ id: "Verdict" });

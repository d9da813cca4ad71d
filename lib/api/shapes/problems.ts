import { z } from "zod";

const bounds = z.object({ min: z.number().optional(), max: z.number().optional() });

const PatchOperation = z
  .object({
    op: z.enum(["add", "replace", "remove"]),
    path: z.string().meta({ description: "A JSON Pointer (RFC 6901) into the body" }),
    value: z.unknown().optional().meta({ description: "The value to set, for `add` and `replace`" }),
  })
  .meta({ id: "PatchOperation", description: "RFC 6902" });

export const ProblemView = z
  .object({
    path: z.string().meta({ description: "The field: `publications[0].posts[1].content`. Empty for the whole body" }),
    message: z.string(),
    rule: z.string().meta({ description: "A stable name of the rule, such as `text.length` or `media.unknown`" }),
    measured: z.union([z.number(), z.string()]).optional(),
    limit: z.union([z.number(), z.string(), z.array(z.string()), bounds]).optional(),
    source: z.url().optional().meta({
      description:
        "The page that states the rule: the network's documentation, or that of another service if the network documents none. Absent for the product's own rules",
    }),
    fix: z.string().optional().meta({ description: "How to fix it" }),
    apply: z.array(PatchOperation).optional().meta({
      description: "A JSON Patch of the body that fixes this problem. Absent if a person must decide",
    }),
    severity: z.literal("warning").optional().meta({ description: "A warning: the post is accepted" }),
  })
  .meta({ id: "Problem" });

/** The result of validation: every problem, with its numbers if there are any. */
export const ValidationView = z
  .object({ valid: z.boolean(), problems: z.array(ProblemView) })
  .meta({ id: "Validation" });

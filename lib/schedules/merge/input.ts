import { z } from "zod";
import { MOST_MERGED } from "./duplicates";

/** Which schedules are to become one, and which of them it is. */
export const MergeWish = z
  .strictObject({
    ids: z
      .array(z.number().int())
      .min(2)
      .max(MOST_MERGED)
      .refine((ids) => new Set(ids).size === ids.length, "names one twice")
      .meta({ description: "All of them, in the order in which they add what `keep` lacks" }),
    keep: z
      .number()
      .int()
      .meta({ description: "The one that stays, with its id, its time and its publications; one of `ids`" }),
  })
  .refine(({ ids, keep }) => ids.includes(keep), { path: ["keep"], error: "is none of ids" })
  .meta({ id: "NewMerge" });

export type MergeWish = z.output<typeof MergeWish>;

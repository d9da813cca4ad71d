import { z } from "zod";
import { id, utc } from "./common";
import { ProblemView } from "./problems";

const count = z.number().int().min(0);

const ImportedRow = z
  .object({
    row: z.number().int().min(2).meta({ description: "As spreadsheets number it: the headings are row 1" }),
    outcome: z.enum(["ready", "invalid", "created", "existing"]).meta({
      description: "`existing`: made of the same row in the last 24 hours, and left as it is",
    }),
    id: id.optional().meta({ description: "Of the schedule, where there is one" }),
    scheduledTime: utc.optional().meta({ description: "What the row says of the time, in UTC" }),
    isDraft: z.boolean(),
    socialMediaAccountIds: z.array(id).meta({ description: "The accounts that the row names" }),
    text: z.string().meta({ description: "The beginning of its first text" }),
    problems: z.array(
      ProblemView.omit({ apply: true })
        .extend({ column: z.string().optional().meta({ description: "The column to mend it in" }) })
        .meta({ id: "RowProblem" }),
    ),
  })
  .meta({ id: "ImportedRow" });

/** What importing schedules from a file answers. */
export const ImportReport = z
  .object({
    dryRun: z.boolean(),
    counts: z.object({ ready: count, invalid: count, created: count, existing: count }),
    rows: z.array(ImportedRow),
  })
  .meta({ id: "ImportReport" });

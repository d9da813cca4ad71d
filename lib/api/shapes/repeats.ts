import { z } from "zod";
import { id, utc } from "./common";
import { ProblemView } from "./problems";

const count = z.number().int().min(0);

const Twin = z
  .object({
    id: id.optional().meta({ description: "Of the schedule; absent where it is another of these dates" }),
    socialMediaAccountId: id,
    scheduledTime: utc,
  })
  .meta({ id: "TwinPost", description: "The same text on the same account within a day; only said" });

const RepeatedDate = z
  .object({
    date: z.iso.date().meta({ description: "The day in `timeZone`" }),
    scheduledTime: utc,
    localTime: z.iso.datetime({ offset: true }).meta({ description: "As the zone's clock shows it, with its offset" }),
    clock: z.enum(["SKIPPED", "TWICE"]).optional().meta({
      description:
        "What daylight saving does to the time. `SKIPPED`: the clock is put forward over it, so it is the first instant after; `TWICE`: it comes twice, so it is the first of the two",
    }),
    isMonthEnd: z.literal(true).optional().meta({ description: "The month has no such day, so it is its last" }),
    outcome: z.enum(["ready", "left_out", "created"]),
    id: id.optional().meta({ description: "Of the schedule that was created" }),
    twins: z.array(Twin),
  })
  .meta({ id: "RepeatedDate" });

/** What repeating a schedule answers. */
export const RepeatReport = z
  .object({
    dryRun: z.boolean(),
    counts: z.object({ ready: count, leftOut: count, created: count }),
    dates: z.array(RepeatedDate),
    problems: z
      .array(ProblemView.omit({ apply: true }).meta({ id: "RepeatProblem" }))
      .meta({ description: "Why none of them could be created as things are, and what is only said" }),
  })
  .meta({ id: "RepeatReport" });

import { z } from "zod";
import { MAX_COMPARED, MAX_MERGED } from "../../schedules";
import { id, nextCursor, utcInstant } from "./common";
import { ProblemView } from "./problems";
import { ScheduleView } from "./schedules";

const repeatCount = z.number().int().min(0);

const NearDuplicateView = z
  .object({
    id: id.optional().meta({ description: "Of the schedule; absent where it is another of these dates" }),
    socialMediaAccountId: id,
    scheduledTime: utcInstant,
  })
  .meta({ id: "TwinPost", description: "The same text on the same account within a day; only said" });

const RepeatedDate = z
  .object({
    date: z.iso.date().meta({ description: "The day in `timeZone`" }),
    scheduledTime: utcInstant,
    localTime: z.iso.datetime({ offset: true }).meta({ description: "As the zone's clock shows it, with its offset" }),
    clock: z.enum(["SKIPPED", "TWICE"]).optional().meta({
      description:
        "What daylight saving does to the time. `SKIPPED`: the clock is put forward over it, so it is the first instant after; `TWICE`: it comes twice, so it is the first of the two",
    }),
    isMonthEnd: z.literal(true).optional().meta({ description: "The month has no such day, so it is its last" }),
    outcome: z.enum(["ready", "left_out", "created"]),
    id: id.optional().meta({ description: "Of the schedule that was created" }),
    twins: z.array(NearDuplicateView),
  })
  .meta({ id: "RepeatedDate" });

/** What repeating a schedule answers. */
export const RepeatReport = z
  .object({
    dryRun: z.boolean(),
    counts: z.object({ ready: repeatCount, leftOut: repeatCount, created: repeatCount }),
    dates: z.array(RepeatedDate),
    problems: z
      .array(ProblemView.omit({ apply: true }).meta({ id: "RepeatProblem" }))
      .meta({ description: "Why none of them could be created as things are, and what is only said" }),
  })
  .meta({ id: "RepeatReport" });

const DuplicateGroup = z
  .object({
    schedules: z.array(ScheduleView).meta({
      description: `The soonest first, drafts without a time last; of more than ${MAX_MERGED} the first ${MAX_MERGED}`,
    }),
    more: z.number().int().optional().meta({ description: "How many more say the same; absent where these are all" }),
  })
  .meta({ id: "DuplicateGroup" });

export const DuplicateList = z
  .object({
    items: z.array(DuplicateGroup),
    nextCursor,
    isComplete: z.boolean().meta({
      description: `False where more than ${MAX_COMPARED} schedules have not started: the ${MAX_COMPARED} that go out soonest were compared`,
    }),
  })
  .meta({ id: "DuplicateList" });

const MergedPublication = z
  .object({
    id: id.meta({ description: "As it was before" }),
    scheduleId: id.meta({ description: "The schedule that it is a part of" }),
    socialMediaAccountId: id,
    outcome: z.enum(["kept", "added", "dropped", "clashing"]).meta({
      description:
        "`kept`: it was there already; `added`: it goes out with the one that stays; `dropped`: another says the same on the same account; `clashing`, in a dry run: another says something else there, so nothing would be merged",
    }),
    besideId: id.optional().meta({ description: "Of a dropped or clashing one: that other publication" }),
    differences: z
      .array(z.enum(["platformSettings", "content", "attachmentPaths", "chatId", "thumbnail"]))
      .optional()
      .meta({
        description:
          "The fields in which it differs from that one; a dropped one's `content` only in spaces and capitals",
      }),
  })
  .meta({ id: "MergedPublication" });

/** What merging schedules answers. */
export const MergeReport = z
  .object({
    dryRun: z.boolean(),
    id: id.meta({ description: "Of the schedule that stays" }),
    publications: z.array(MergedPublication),
    deleted: z.array(id).meta({ description: "The schedules that are removed" }),
    feedback: z
      .array(id)
      .meta({ description: "Those of them on which reviewers have said something, which goes with them" }),
    problems: z.array(ProblemView.omit({ apply: true }).meta({ id: "MergeProblem" })).meta({
      description: "What a network would refuse of the one that stays, as it would be then, and what is only said",
    }),
    schedule: ScheduleView.optional().meta({ description: "The one that stayed; absent in a dry run" }),
  })
  .meta({ id: "MergeReport" });

const count = z.number().int().min(0);

const ImportedRow = z
  .object({
    row: z.number().int().min(2).meta({ description: "As spreadsheets number it: the headings are row 1" }),
    outcome: z.enum(["ready", "invalid", "created", "existing"]).meta({
      description: "`existing`: made of the same row in the last 24 hours, and left as it is",
    }),
    id: id.optional().meta({ description: "Of the schedule, where there is one" }),
    scheduledTime: utcInstant.optional().meta({ description: "What the row says of the time, in UTC" }),
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
export const ImportReportView = z
  .object({
    dryRun: z.boolean(),
    counts: z.object({ ready: count, invalid: count, created: count, existing: count }),
    rows: z.array(ImportedRow),
  })
  .meta({ id: "ImportReport" });

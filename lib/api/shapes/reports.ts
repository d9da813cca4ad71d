import { z } from "zod";
import { MAX_COMPARED, MAX_MERGED } from "../../schedules";
import { id, nextCursor, utcInstant } from "./common";
import { ProblemView } from "./problems";
import { ScheduleView } from "./schedules";

const repeatCount = z.number().int().min(0);

const NearDuplicateView = z
  .object({
    id: id.optional().meta({ description: "The ID of the other post. Absent if it is another one of these dates" }),
    socialMediaAccountId: id,
    scheduledTime: utcInstant,
  })
  .meta({ id: "NearDuplicate", description: "The same text on the same account within a day. A warning" });

const RepeatedDate = z
  .object({
    date: z.iso.date().meta({ description: "The day in `timeZone`" }),
    scheduledTime: utcInstant,
    localTime: z.iso.datetime({ offset: true }).meta({ description: "Local time in `timeZone`, with its offset" }),
    clock: z.enum(["SKIPPED", "TWICE"]).optional().meta({
      description:
        "The effect of daylight saving time. `SKIPPED`: the time does not exist on that day, so the first instant after it is used. `TWICE`: the time occurs twice, so the first one is used",
    }),
    isMonthEnd: z.literal(true).optional().meta({ description: "The month has no such day, so its last day is used" }),
    outcome: z.enum(["ready", "left_out", "created"]),
    id: id.optional().meta({ description: "The ID of the post that was created" }),
    nearDuplicates: z.array(NearDuplicateView),
  })
  .meta({ id: "RepeatedDate" });

/** The result of repeating a schedule. */
export const RepeatReport = z
  .object({
    dryRun: z.boolean(),
    counts: z.object({ ready: repeatCount, leftOut: repeatCount, created: repeatCount }),
    dates: z.array(RepeatedDate),
    problems: z
      .array(ProblemView.omit({ apply: true }).meta({ id: "RepeatProblem" }))
      .meta({ description: "Why none of them could be created now, and warnings" }),
  })
  .meta({ id: "RepeatReport" });

const DuplicateGroup = z
  .object({
    schedules: z.array(ScheduleView).meta({
      description: `Earliest first, drafts without a time last. Of more than ${MAX_MERGED} only the first ${MAX_MERGED}; fewer of very long texts`,
    }),
    more: z
      .number()
      .int()
      .optional()
      .meta({ description: "How many more posts belong to this group. Absent if these are all" }),
  })
  .meta({ id: "DuplicateGroup" });

export const DuplicateList = z
  .object({
    items: z.array(DuplicateGroup),
    nextCursor,
    isComplete: z.boolean().meta({
      description: `False if more than ${MAX_COMPARED} posts have not started. Only the ${MAX_COMPARED} earliest were compared then`,
    }),
  })
  .meta({ id: "DuplicateList" });

const MergedPublication = z
  .object({
    id: id.meta({ description: "The ID before the merge" }),
    scheduleId: id.meta({ description: "The ID of its post before the merge" }),
    socialMediaAccountId: id,
    outcome: z.enum(["kept", "added", "dropped", "clashing"]).meta({
      description:
        "`kept`: it was part of the remaining post. `added`: it moves there. `dropped`: the same post exists for the same account. `clashing` (dry run only): another post exists for the same account, so nothing would be merged",
    }),
    besideId: id.optional().meta({ description: "If it is dropped or clashing: the other one" }),
    differences: z
      .array(z.enum(["platformSettings", "content", "attachmentPaths", "chatId", "thumbnail"]))
      .optional()
      .meta({
        description: "The fields that differ. The `content` of a dropped one differs only in spaces and capitals",
      }),
  })
  .meta({ id: "MergedPublication" });

/** The result of merging schedules. */
export const MergeReport = z
  .object({
    dryRun: z.boolean(),
    id: id.meta({ description: "The ID of the remaining post" }),
    publications: z.array(MergedPublication),
    deleted: z.array(id).meta({ description: "The IDs of the posts that are deleted" }),
    feedback: z
      .array(id)
      .meta({ description: "Those of them that have feedback from reviewers, which is deleted with them" }),
    problems: z.array(ProblemView.omit({ apply: true }).meta({ id: "MergeProblem" })).meta({
      description: "What a network would reject in the remaining post, and warnings",
    }),
    schedule: ScheduleView.optional().meta({ description: "The remaining post. Absent in a dry run" }),
  })
  .meta({ id: "MergeReport" });

const count = z.number().int().min(0);

const ImportedRow = z
  .object({
    row: z.number().int().min(2).meta({ description: "The row number in a spreadsheet. The headings are row 1" }),
    outcome: z.enum(["ready", "invalid", "created", "existing"]).meta({
      description: "`existing`: the same row was created in the last 24 hours and is left unchanged",
    }),
    id: id.optional().meta({ description: "The ID of the post, if there is one" }),
    scheduledTime: utcInstant.optional().meta({ description: "The time in the row, in UTC" }),
    isDraft: z.boolean(),
    socialMediaAccountIds: z.array(id).meta({ description: "The accounts in the row" }),
    text: z.string().meta({ description: "The beginning of its first text" }),
    problems: z.array(
      ProblemView.omit({ apply: true })
        .extend({ column: z.string().optional().meta({ description: "The column with the problem" }) })
        .meta({ id: "RowProblem" }),
    ),
  })
  .meta({ id: "ImportedRow" });

/** The result of importing schedules from a file. */
export const ImportReportView = z
  .object({
    dryRun: z.boolean(),
    counts: z.object({ ready: count, invalid: count, created: count, existing: count }),
    rows: z.array(ImportedRow),
  })
  .meta({ id: "ImportReport" });

import { z } from "zod";
import { MOST_COMPARED, MOST_MERGED } from "../../schedules";
import { id, nextCursor } from "./common";
import { ProblemView } from "./problems";
import { ScheduleView } from "./schedules";

const DuplicateGroup = z
  .object({
    schedules: z.array(ScheduleView).meta({
      description: `The soonest first, drafts without a time last; of more than ${MOST_MERGED} the first ${MOST_MERGED}`,
    }),
    more: z.number().int().optional().meta({ description: "How many more say the same; absent where these are all" }),
  })
  .meta({ id: "DuplicateGroup" });

export const DuplicateList = z
  .object({
    items: z.array(DuplicateGroup),
    nextCursor,
    isComplete: z.boolean().meta({
      description: `False where more than ${MOST_COMPARED} schedules have not started: the ${MOST_COMPARED} that go out soonest were compared`,
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

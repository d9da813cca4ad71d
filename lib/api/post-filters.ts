import { z } from "zod";
import { instant, Platform, ScheduleStatus } from "./shapes";

/** Which schedules are meant, in a query. */
export const postFilters = z.object({
  status: ScheduleStatus.optional().meta({ description: "Only schedules in this state" }),
  platform: Platform.optional().meta({ description: "Only schedules with a publication on this network" }),
  accountId: z.string().min(1).max(255).optional().meta({ description: "An Account's `id`, or the network's own" }),
  attachment: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Only schedules with a post that uses this file, by its storage key" }),
  from: instant.optional().meta({ description: "The earliest `scheduledTime`" }),
  to: instant.optional().meta({ description: "The latest `scheduledTime`" }),
});

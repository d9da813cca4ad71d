import { z } from "zod";
import { wordsIn } from "../schedules/search-text";
import { instant, Platform, ScheduleStatus } from "./shapes";

/** Each is looked for in every text that holds those before it. */
const MOST_WORDS = 20;

/** Which schedules are meant, in a query. */
export const postFilters = z.object({
  status: ScheduleStatus.optional().meta({ description: "Only schedules in this state" }),
  platform: Platform.optional().meta({ description: "Only schedules with a publication on this network" }),
  accountId: z.string().min(1).max(255).optional().meta({ description: "An Account's `id`, or the network's own" }),
  text: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((text) => wordsIn(text).length <= MOST_WORDS, `must have at most ${MOST_WORDS} words`)
    .optional()
    .meta({
      description: `Only schedules whose texts (contents and titles, all publications together) hold every one of these words, in any case, with or without accents. At most 200 characters, but for spaces around them, and ${MOST_WORDS} words`,
      maxLength: undefined,
    }),
  attachment: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Only schedules with a post that uses this file, by its storage key" }),
  from: instant.optional().meta({ description: "The earliest `scheduledTime`" }),
  to: instant.optional().meta({ description: "The latest `scheduledTime`" }),
});

import { z } from "zod";
import { slot, timeZone } from "../bodies/queue";
import { id, utc } from "./common";

export const QueueView = z
  .object({
    timeZone: timeZone.optional().meta({ description: "The zone of all its times; absent until some were given" }),
    slots: z.array(z.object(slot)).meta({ description: "From Monday on, in their order" }),
  })
  .meta({ id: "Queue", description: "When an account likes to post, week after week" });

export const NextSlotsView = z
  .object({
    accountIds: z.array(id).meta({ description: "Those of the accounts that have slots at all" }),
    items: z.array(
      z.object({
        time: utc,
        accountIds: z.array(id).meta({ description: "The accounts whose slot it is" }),
      }),
    ),
  })
  .meta({ id: "NextSlots", description: "Times of queues at which nothing is planned, the earliest first" });

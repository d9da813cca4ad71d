import { z } from "zod";
import { slotFields, timeZoneField } from "../bodies/queue";
import { id, PlatformEnum, sixDigitTime, utcInstant } from "./common";

export const QueueView = z
  .object({
    timeZone: timeZoneField.optional().meta({ description: "The zone of all its times; absent until some were given" }),
    slots: z.array(z.object(slotFields)).meta({ description: "From Monday on, in their order" }),
  })
  .meta({ id: "Queue", description: "When an account likes to post, week after week" });

export const NextSlotsView = z
  .object({
    accountIds: z.array(id).meta({ description: "Those of the accounts that have slots at all" }),
    items: z.array(
      z.object({
        time: utcInstant,
        accountIds: z.array(id).meta({ description: "The accounts whose slot it is" }),
      }),
    ),
  })
  .meta({ id: "NextSlots", description: "Times of queues at which nothing is planned, the earliest first" });

export const AccountView = z
  .object({
    id: id.meta({ description: "What a publication names as `socialMediaAccountId`" }),
    platform: PlatformEnum,
    accountId: z.string().meta({ description: "The network's own identifier" }),
    accountUsername: z.string(),
    accountDisplayName: z.string(),
    accountAvatarUrl: z.url().optional(),
    createdTime: sixDigitTime,
    updatedTime: sixDigitTime,
    state: z.enum(["ACTIVE", "HELD", "RECONNECT_REQUIRED"]).meta({
      description:
        "`HELD`: it waits for `POST /v1/accounts/{id}/confirm`, where a partner has its accounts held, and cannot be used before. `RECONNECT_REQUIRED`: its owner has to connect it again before anything can be published",
    }),
    stateTime: sixDigitTime.meta({ description: "Since when: one incident has one beginning" }),
    stateReason: z.string().optional().meta({ description: "Why it has to be connected again, as a sentence" }),
    reconnectUrl: z.url().optional().meta({
      description:
        "Where a person who signs in here connects it again. A partner's user does by a new `POST /v1/connect/authorize-url`",
    }),
    tokenExpiresTime: sixDigitTime.optional().meta({
      description:
        "When the network's present token ends; Carillon renews it before, unless `permissionEndsTime` is given",
    }),
    permissionEndsTime: sixDigitTime.optional().meta({
      description: "When its owner has to connect it again, because the network lets nobody renew the permission",
    }),
  })
  .meta({ id: "Account", description: "A connected social account" });

export const ChatView = z
  .object({
    id: z.string().meta({ description: "What a post names as `chatId`" }),
    title: z.string(),
    type: z.string().meta({ description: "Telegram's own kinds (`channel`, `supergroup` …), `PAGE` or `BOARD`" }),
    platform: PlatformEnum,
  })
  .meta({ id: "Chat", description: "Where an account can publish to: a channel or chat, a Page, a board" });

export const SectionView = z
  .object({
    id: z.string().meta({ description: "What `platformSettings` names as `boardSectionId`" }),
    title: z.string(),
  })
  .meta({ id: "Section", description: "A part of a destination: a section of a board" });

export const AccountOptionsView = z
  .object({
    displayName: z.string().optional().meta({ description: "The person who posts, as the network wants them shown" }),
    settings: z
      .record(z.string(), z.array(z.union([z.string(), z.boolean()])))
      .meta({ description: "The values that a field of `platformSettings` may have; what is not named is free" }),
    video: z
      .object({ maxSeconds: z.number().optional().meta({ description: "How long this account's videos may last" }) })
      .optional(),
  })
  .meta({ id: "AccountOptions", description: "What an account may choose just now" });

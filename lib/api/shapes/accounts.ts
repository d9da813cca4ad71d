import { z } from "zod";
import { groupColours } from "../../db";
import { slotFields, timeZoneField } from "../bodies/queue";
import { id, PlatformEnum, sixDigitTime, utcInstant } from "./common";

export const QueueView = z
  .object({
    timeZone: timeZoneField
      .optional()
      .meta({ description: "The time zone of all posting times. Absent until some are set" }),
    slots: z.array(z.object(slotFields)).meta({ description: "In order, from Monday" }),
  })
  .meta({ id: "Queue", description: "When an account posts, every week" });

export const NextSlotsView = z
  .object({
    accountIds: z.array(id).meta({ description: "The accounts among those requested that have posting times" }),
    items: z.array(
      z.object({
        time: utcInstant,
        accountIds: z.array(id).meta({ description: "The accounts with this posting time" }),
      }),
    ),
  })
  .meta({ id: "NextSlots", description: "Free times, earliest first" });

export const AccountView = z
  .object({
    id: id.meta({ description: "Use it as `socialMediaAccountId` of a post" }),
    platform: PlatformEnum,
    accountId: z.string().meta({ description: "The identifier on the network" }),
    accountUsername: z.string(),
    accountDisplayName: z.string(),
    accountAvatarUrl: z.url().optional(),
    textMax: z.number().int().optional().meta({
      description: "The longest text of this account, if its network allows it more than usual (subscribers of X)",
    }),
    createdTime: sixDigitTime,
    updatedTime: sixDigitTime,
    state: z.enum(["ACTIVE", "HELD", "RECONNECT_REQUIRED"]).meta({
      description:
        "`HELD`: the account cannot be used until `POST /v1/accounts/{id}/confirm`, if the partner holds new accounts. `RECONNECT_REQUIRED`: the owner must reconnect it before anything can be published",
    }),
    stateTime: sixDigitTime.meta({ description: "When this state began" }),
    stateReason: z.string().optional().meta({ description: "Why it must be connected again" }),
    reconnectUrl: z.url().optional().meta({
      description:
        "Where a person who signs in here connects it again. For a partner's user, use `POST /v1/connect/authorize-url`",
    }),
    tokenExpiresTime: sixDigitTime.optional().meta({
      description:
        "When the network's current token expires. Carillon renews it before, unless `permissionEndsTime` is given",
    }),
    permissionEndsTime: sixDigitTime.optional().meta({
      description:
        "When the owner must reconnect the account, because the network does not allow us to renew the permission",
    }),
  })
  .meta({ id: "Account", description: "A connected social account" });

export const AccountPlanView = QueueView.extend({
  accountId: id,
  scheduled: z.number().int().meta({ description: "The posts that wait for their time on this account" }),
  nextTime: utcInstant.optional().meta({ description: "The time of the next of them" }),
}).meta({ id: "AccountPlan", description: "What is planned on an account" });

export const AccountGroupView = z
  .object({
    id,
    name: z.string(),
    colour: z.enum(groupColours),
    accountIds: z.array(id).meta({ description: "In the order in which the accounts were connected" }),
    createdTime: sixDigitTime,
    updatedTime: sixDigitTime,
  })
  .meta({ id: "AccountGroup", description: "Accounts that the user has put together under a name" });

export const ChatView = z
  .object({
    id: z.string().meta({ description: "Use it as `chatId` in a post" }),
    title: z.string(),
    type: z.string().meta({ description: "Telegram's own kinds (`channel`, `supergroup` …), `PAGE` or `BOARD`" }),
    platform: PlatformEnum,
  })
  .meta({ id: "Chat", description: "A destination of an account: a channel or chat, a Page, or a board" });

export const SectionView = z
  .object({
    id: z.string().meta({ description: "Use it as `boardSectionId` in `platformSettings`" }),
    title: z.string(),
  })
  .meta({ id: "Section", description: "A section of a board" });

export const SettingOptionView = z
  .object({
    id: z.string().meta({ description: "Use it as the setting's value in `platformSettings`" }),
    title: z.string(),
  })
  .meta({ id: "SettingOption", description: "A value that an account can choose for a setting" });

export const AccountOptionsView = z
  .object({
    displayName: z
      .string()
      .optional()
      .meta({ description: "The name of the person who posts, for display as the network requires" }),
    settings: z.record(z.string(), z.array(z.union([z.string(), z.boolean()]))).meta({
      description:
        "The values that fields of `platformSettings` can have. Fields that are not listed are not restricted",
    }),
    video: z
      .object({
        maxSeconds: z.number().optional().meta({ description: "The maximum length of this account's videos" }),
      })
      .optional(),
  })
  .meta({ id: "AccountOptions", description: "What an account can choose at the moment" });

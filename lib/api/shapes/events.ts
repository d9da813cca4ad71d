import { z } from "zod";
import { type EventType, eventTypes } from "../../webhooks";
import { EventTypeName } from "../bodies/webhook";
import { AccountView } from "./accounts";
import { id, utcInstant } from "./common";
import { ImportView } from "./media";
import { PublicationView, ScheduleView } from "./schedules";

const ofUser = {
  externalUserId: z
    .string()
    .optional()
    .meta({ description: "The partner's own identifier of the owner, if the owner is a partner's user" }),
};
const account = AccountView.extend(ofUser).meta({ id: "AccountFact" });
const imported = ImportView.extend(ofUser).meta({ id: "ImportFact" });
const schedule = ScheduleView.extend(ofUser).meta({ id: "ScheduleFact" });
const publication = PublicationView.extend({
  scheduleId: id.meta({ description: "The ID of its post" }),
  ...ofUser,
}).meta({ id: "PublicationFact" });

/** The description of each event, and its object at that time. */
const facts: { [T in EventType]: { data: z.ZodType; says: string } } = {
  "account.connected": {
    data: account,
    says: "An account was connected, for the first time or again. If its state is `HELD`, check its owner before you confirm it",
  },
  "account.reconnect_required": {
    data: account,
    says: "A network no longer accepts an account's permission, so its owner must reconnect it. Sent once per incident",
  },
  "account.disconnected": {
    data: account,
    says: "An account was disconnected, by its owner or because the person asked the network",
  },
  "media.upload.ready": { data: imported, says: "An import is complete, and `s3Key` can be used" },
  "media.upload.failed": { data: imported, says: "An import has failed permanently" },
  "post.scheduled": {
    data: schedule,
    says: "A post will be published at its time: it was created or changed, or its media have arrived",
  },
  "post.deleted": { data: schedule, says: "A post was deleted. The data shows it as it was before" },
  "post.media_import_failed": {
    data: schedule,
    says: "A file of a post could not be imported, or cannot be used for it",
  },
  "post.in_progress": { data: schedule, says: "Publishing has started, or started again with a retry" },
  "post.completed": { data: schedule, says: "Everything was published" },
  "post.partially_completed": {
    data: schedule,
    says: "Some of it was published, and the rest is not retried automatically",
  },
  "post.failed": { data: schedule, says: "Nothing was published, and nothing is retried automatically" },
  "publication.published": {
    data: publication,
    says: "A post is public on one of its accounts",
  },
  "publication.failed": {
    data: publication,
    says: "A post failed on one of its accounts, or its status there is `UNKNOWN`: the network cannot tell whether it is public",
  },
  "comment.published": { data: publication, says: "A first comment is public on one of the post's accounts" },
  "comment.failed": {
    data: publication,
    says: "A first comment failed on one of the post's accounts, or its status is `UNKNOWN`. The post stays published",
  },
};

/** `post.in_progress` → `PostInProgressEvent`. */
const nameOf = (type: EventType) =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The bodies that endpoints receive, with a description of each. */
export const eventShapes = eventTypes.map((type) => ({
  type,
  says: facts[type].says,
  shape: z
    .object({
      type: z.literal(type),
      timestamp: utcInstant.meta({ description: "When it happened, in UTC. The same for every attempt" }),
      data: facts[type].data,
    })
    .meta({ id: nameOf(type), description: facts[type].says }),
}));

export const EventView = z
  .object({
    id: z.string().meta({ description: "Unique and permanent" }),
    type: EventTypeName,
    timestamp: utcInstant,
    data: z.looseObject({}).meta({ description: "The same as in the webhook of this type" }),
  })
  .meta({ id: "Event", description: "An event of the log" });

export const EventPage = z
  .object({
    items: z.array(EventView),
    nextCursor: z
      .string()
      .meta({ description: "Use it as `since` in the next call. Never null, because the log continues" }),
    hasMore: z.boolean().meta({ description: "Whether more events are available now" }),
  })
  .meta({ id: "EventPage" });

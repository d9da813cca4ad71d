import { z } from "zod";
import { type EventType, eventTypes } from "../../webhooks";
import { EventTypeName } from "../bodies/webhook";
import { AccountView } from "./accounts";
import { id, utcInstant } from "./common";
import { ImportView } from "./media";
import { PublicationView, ScheduleView } from "./schedules";

const ofUser = {
  externalUserId: z.string().optional().meta({ description: "A partner's own identifier of the user whose it is" }),
};
const account = AccountView.extend(ofUser).meta({ id: "AccountFact" });
const imported = ImportView.extend(ofUser).meta({ id: "ImportFact" });
const schedule = ScheduleView.extend(ofUser).meta({ id: "ScheduleFact" });
const publication = PublicationView.extend({
  scheduleId: id.meta({ description: "The posting schedule that it belongs to" }),
  ...ofUser,
}).meta({ id: "PublicationFact" });

/** What each event tells, and the thing as it was then. */
const facts: { [T in EventType]: { data: z.ZodType; says: string } } = {
  "account.connected": {
    data: account,
    says: "An account was connected, for the first time or again; where its state is `HELD`, see whose it is before it is confirmed",
  },
  "account.reconnect_required": {
    data: account,
    says: "A network no longer accepts an account's permission: its owner has to connect it again. Once for each incident",
  },
  "account.disconnected": {
    data: account,
    says: "An account was disconnected, by its owner or at its person's request",
  },
  "media.upload.ready": { data: imported, says: "An import is complete: `s3Key` can be used" },
  "media.upload.failed": { data: imported, says: "An import has failed for good" },
  "post.scheduled": {
    data: schedule,
    says: "A posting schedule will be published at its time: it was created or changed so, or its media have arrived",
  },
  "post.deleted": { data: schedule, says: "A posting schedule was deleted; as it was before" },
  "post.media_import_failed": {
    data: schedule,
    says: "Media of a posting schedule could not be imported, or do not fit",
  },
  "post.in_progress": { data: schedule, says: "Publishing has begun, or begins again by a retry" },
  "post.completed": { data: schedule, says: "Everything is published" },
  "post.partially_completed": { data: schedule, says: "Some of it is published, and nothing more is tried by itself" },
  "post.failed": { data: schedule, says: "Nothing is published, and nothing more is tried by itself" },
  "publication.published": { data: publication, says: "One account's share of a posting schedule is public" },
  "publication.failed": {
    data: publication,
    says: "One account's share of a posting schedule is not public; or, with the status `UNKNOWN`, the network cannot tell, and it may be",
  },
};

/** `post.in_progress` → `PostInProgressEvent`. */
const nameOf = (type: EventType) =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The bodies that endpoints are sent, with what each tells. */
export const eventShapes = eventTypes.map((type) => ({
  type,
  says: facts[type].says,
  shape: z
    .object({
      type: z.literal(type),
      timestamp: utcInstant.meta({ description: "When it happened, UTC; the same in every attempt" }),
      data: facts[type].data,
    })
    .meta({ id: nameOf(type), description: facts[type].says }),
}));

export const EventView = z
  .object({
    id: z.string().meta({ description: "Unique, and always the same" }),
    type: EventTypeName,
    timestamp: utcInstant,
    data: z.looseObject({}).meta({ description: "As in the webhook of this type" }),
  })
  .meta({ id: "Event", description: "Something that has happened" });

export const EventPage = z
  .object({
    items: z.array(EventView),
    nextCursor: z.string().meta({ description: "For `since` of the next call; never null, because the log goes on" }),
    hasMore: z.boolean().meta({ description: "Whether there is more already" }),
  })
  .meta({ id: "EventPage" });

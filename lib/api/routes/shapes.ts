import { z } from "zod";
import { NotFound } from "../../errors";
import { platformValues } from "../../platforms";

/** The JSON shapes of answers, as SPEC's tables give them. One with an `id` is a component of the OpenAPI document. */
export const Platform = z.enum(platformValues).meta({ id: "Platform" });

const id = z.number().int();
const utc = z.iso.datetime().meta({ description: "UTC; milliseconds only where they are not zero" });
export const sixDigits = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/)
  .meta({ description: "UTC without an offset, six digits" });
export const storageKey = z.string().meta({ description: "A storage key, `<owner>/<object>.<ext>`" });

export const AccountView = z
  .object({
    id: id.meta({ description: "What a publication names as `socialMediaAccountId`" }),
    platform: Platform,
    accountId: z.string().meta({ description: "The network's own identifier" }),
    accountUsername: z.string(),
    accountDisplayName: z.string(),
    accountAvatarUrl: z.url().optional(),
    createdTime: sixDigits,
    updatedTime: sixDigits,
    state: z.enum(["ACTIVE", "RECONNECT_REQUIRED"]).meta({
      description: "`RECONNECT_REQUIRED`: its owner has to connect it again before anything can be published",
    }),
  })
  .meta({ id: "Account", description: "A connected social account" });

export const ChatView = z
  .object({
    id: z.string().meta({ description: "What a post names as `chatId`" }),
    title: z.string(),
    type: z.string().meta({ description: "Telegram's own kinds (`channel`, `supergroup` …), `PAGE` or `BOARD`" }),
    platform: Platform,
  })
  .meta({ id: "Chat", description: "Where an account can publish to: a channel or chat, a Page, a board" });

const PublicationStatus = z.enum(["PENDING", "IN_PROGRESS", "PUBLISHED", "FAILED", "UNKNOWN"]).meta({
  id: "PublicationStatus",
  description:
    "`UNKNOWN`: the last call was sent and the network cannot tell what came of it; never sent again by itself",
});

export const ScheduleStatus = z
  .enum([
    "DRAFT",
    "AWAITING_MEDIA",
    "SCHEDULED",
    "MEDIA_IMPORT_FAILED",
    "IN_PROGRESS",
    "COMPLETED",
    "PARTIALLY_COMPLETED",
    "FAILED",
  ])
  .meta({ id: "ScheduleStatus" });

const PostView = z
  .object({
    id,
    content: z.string(),
    attachmentPaths: z.array(z.string()),
    chatId: z.string().optional(),
    thumbnail: storageKey.optional(),
    status: PublicationStatus,
    networkPostId: z.string().optional().meta({ description: "The network's own identifier of the post" }),
    permalink: z.url().optional().meta({ description: "Where people see it" }),
    publishedTime: utc.optional(),
    error: z.string().optional().meta({ description: "Why it could not be published" }),
  })
  .meta({ id: "Post" });

/** Which settings these can be is the networks' to say (`openapi/networks.ts`). */
const StoredSettings = z.looseObject({ type: z.string() }).meta({ id: "StoredPlatformSettings" });

const PublicationView = z
  .object({
    id,
    socialMediaAccountId: id.meta({ description: "The `id` of an Account" }),
    platformSettings: StoredSettings,
    status: PublicationStatus,
    posts: z.array(PostView),
  })
  .meta({ id: "Publication", description: "What goes out on one account" });

export const ScheduleView = z
  .object({
    id,
    overallStatus: ScheduleStatus,
    scheduledTime: utc.optional().meta({ description: "UTC; absent on a draft without a time" }),
    publications: z.array(PublicationView),
  })
  .meta({ id: "Schedule", description: "A posting schedule with the state of every part" });

const nextCursor = z.string().nullable().meta({ description: "Where the next page begins; `null` on the last one" });

export const ScheduleList = z.object({ items: z.array(ScheduleView), nextCursor }).meta({ id: "ScheduleList" });

export const MediaView = z
  .object({
    key: z.string().meta({ description: "The object's name: the part of `path` after the owner" }),
    path: storageKey.meta({ description: "The storage key, for `attachmentPaths`" }),
    filename: z.string(),
    contentType: z.string().meta({ description: "Detected from the bytes, whatever the name says" }),
    sizeBytes: z.number().int(),
    width: z.number().int().optional().meta({ description: "Pixels, as shown" }),
    height: z.number().int().optional().meta({ description: "Pixels, as shown" }),
    url: z.url().meta({ description: "A signed address of the bytes, good for six hours" }),
    createdTime: sixDigits,
  })
  .meta({ id: "Media", description: "A stored picture or video" });

export const MediaList = z.object({ items: z.array(MediaView), nextCursor }).meta({ id: "MediaList" });

const bounds = z.object({ min: z.number().optional(), max: z.number().optional() });

const PatchOperation = z
  .object({
    op: z.enum(["add", "replace", "remove"]),
    path: z.string().meta({ description: "A JSON Pointer (RFC 6901) into the body" }),
    value: z.unknown().optional().meta({ description: "What `add` and `replace` put there" }),
  })
  .meta({ id: "PatchOperation", description: "RFC 6902" });

const ProblemView = z
  .object({
    path: z
      .string()
      .meta({ description: "The field: `publications[0].posts[1].content`; empty for the body as a whole" }),
    message: z.string(),
    rule: z.string().meta({ description: "A stable name for the rule, such as `text.length` or `media.unknown`" }),
    measured: z.union([z.number(), z.string()]).optional(),
    limit: z.union([z.number(), z.string(), z.array(z.string()), bounds]).optional(),
    fix: z.string().optional().meta({ description: "What to do about it" }),
    apply: z.array(PatchOperation).optional().meta({
      description: "A JSON Patch of the body after which this problem is gone; absent where a person must decide",
    }),
    severity: z.literal("warning").optional().meta({ description: "Only said; the schedule is taken all the same" }),
  })
  .meta({ id: "Problem" });

/** What validating answers: every problem, with its numbers where there are any. */
export const Verdict = z.object({ valid: z.boolean(), problems: z.array(ProblemView) }).meta({ id: "Verdict" });

export const ConnectUserView = z
  .object({
    uuid: z.uuid().meta({ description: "What `X-Connect-User-Id` takes" }),
    name: z.string(),
    email: z.string().optional().meta({ description: "For the partner's own reference; nothing is sent to it" }),
  })
  .meta({ id: "ConnectUser", description: "A partner's end-user" });

export const ConnectUserList = z
  .object({ items: z.array(ConnectUserView), nextCursor })
  .meta({ id: "ConnectUserList" });

/** A numeric id in a path. What cannot be one is as absent as one that never was. */
export function idOf(what: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new NotFound(what, text);
  return Number(text);
}

export const IdParam = z.object({ id: z.string().meta({ description: "A numeric id" }) });

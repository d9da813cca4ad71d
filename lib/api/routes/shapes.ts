import { z } from "zod";
import { importStates } from "../../db";
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

const ImportState = z.enum(importStates).meta({
  id: "ImportState",
  description: "Ends as `READY` or `FAILED_PERMANENT`; `FAILED_TEMPORARY` is tried again by itself, for 24 hours",
});

export const ImportView = z
  .object({
    id,
    state: ImportState,
    sourceUrl: z.string(),
    bytesDownloaded: z.number().int(),
    totalBytes: z.number().int().optional().meta({ description: "Where the server says it" }),
    detectedMime: z.string().optional().meta({ description: "Detected from the bytes" }),
    s3Key: storageKey.optional().meta({ description: "For `attachmentPaths`, once the state is `READY`" }),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: "ImportJob", description: "A file that is being fetched from a public URL" });

export const ImportStarted = z.object({ id, state: ImportState }).meta({ id: "ImportStarted" });

const PendingImportView = z
  .object({
    postId: id,
    attachmentIndex: z.number().int().meta({ description: "Position in `attachmentPaths`" }),
    importTaskId: id.meta({ description: "Poll it with `GET /v1/media/upload/import/{id}`" }),
    sourceUrl: z.string(),
    state: ImportState,
  })
  .meta({ id: "PendingImport" });

export const ScheduleView = z
  .object({
    id,
    overallStatus: ScheduleStatus,
    scheduledTime: utc.optional().meta({ description: "UTC; absent on a draft without a time" }),
    publications: z.array(PublicationView),
    pendingImports: z
      .array(PendingImportView)
      .optional()
      .meta({ description: "Imports under way; absent without any" }),
  })
  .meta({ id: "Schedule", description: "A posting schedule with the state of every part" });

const Attempt = z
  .object({
    postId: id,
    outcome: z.enum(["PUBLISHED", "WAITING", "RETRYING", "LOOKING", "FAILED", "UNKNOWN"]).meta({
      description: "`LOOKING`: a call was sent, and the network is read to learn what became of it",
    }),
    message: z.string().meta({ description: "What happened, for a person" }),
    startTime: utc,
    endTime: utc,
    times: z.number().int().meta({ description: "How often the same came of it, one after the other" }),
    answer: z
      .object({ status: z.number().int(), code: z.string().optional(), message: z.string().optional() })
      .optional()
      .meta({ description: "What the network answered, secrets removed; status 0 where no answer came" }),
    nextAttemptTime: utc.optional(),
  })
  .meta({ id: "Attempt" });

const PublicationReceipt = z
  .object({
    id,
    socialMediaAccountId: id,
    platform: Platform,
    status: PublicationStatus,
    attempts: z.number().int(),
    nextAttemptTime: utc.optional().meta({ description: "When it is tried or looked at again; absent when it is not" }),
    story: z.array(Attempt),
    posts: z.array(PostView),
  })
  .meta({ id: "PublicationReceipt" });

export const ReceiptView = z
  .object({
    id,
    overallStatus: ScheduleStatus,
    scheduledTime: utc.optional(),
    publishingPaused: z.boolean().optional().meta({ description: "`true` while the service publishes nothing at all" }),
    publications: z.array(PublicationReceipt),
  })
  .meta({ id: "Receipt", description: "What was tried for each publication, and whether it will be tried again" });

const PreviewRequest = z
  .object({
    step: z.string().meta({ description: "What the request is for" }),
    makesPublic: z.boolean().meta({ description: "The one after which people see the post" }),
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
  })
  .meta({ id: "PreviewRequest" });

const PostPreview = z
  .object({
    id,
    problem: z.string().optional().meta({ description: "Why nothing would be sent" }),
    requests: z.array(PreviewRequest),
  })
  .meta({ id: "PostPreview" });

const PublicationPreview = z
  .object({ id, socialMediaAccountId: id, posts: z.array(PostPreview) })
  .meta({ id: "PublicationPreview" });

export const PreviewView = z
  .object({ id, publications: z.array(PublicationPreview) })
  .meta({ id: "Preview", description: "The requests that publishing would send" });

const nextCursor = z.string().nullable().meta({ description: "Where the next page begins; `null` on the last one" });

export const ScheduleList = z.object({ items: z.array(ScheduleView), nextCursor }).meta({ id: "ScheduleList" });

/** What a grant is asked for. */
export const NewUpload = z
  .strictObject({
    filename: z.string().min(1).max(255).meta({ description: "Its extension becomes the key's" }),
    contentType: z
      .string()
      .max(127)
      .regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/i, "must be a MIME type such as image/jpeg")
      .meta({ description: "A MIME type; the PUT has to name the same" }),
    sizeBytes: z.number().int().min(1).meta({ description: "The PUT has to have exactly as many bytes" }),
  })
  .meta({ id: "NewUpload" });

export const UploadGrant = z
  .object({
    key: storageKey,
    method: z.literal("PUT"),
    url: z.url().meta({ description: "Where to put the bytes, signed for this file alone" }),
    headers: z.record(z.string(), z.string()).meta({ description: "To be sent with the PUT, unchanged" }),
    expiresAt: utc.meta({ description: "When the address stops working, UTC" }),
  })
  .meta({ id: "UploadGrant", description: "Leave to put one file straight into the store" });

const confirmed = {
  key: z.string().meta({ description: "The object's name: the part of `path` after the owner" }),
  path: storageKey.meta({ description: "The storage key, for `attachmentPaths`" }),
  filename: z.string(),
  contentType: z.string().meta({ description: "Detected from the bytes, whatever the name says" }),
  sizeBytes: z.number().int(),
  url: z.url().meta({ description: "A signed address of the bytes, good for six hours" }),
};

export const ConfirmedUpload = z.object(confirmed).meta({ id: "ConfirmedUpload" });

export const MediaView = z
  .object({
    ...confirmed,
    width: z.number().int().optional().meta({ description: "Pixels, as shown" }),
    height: z.number().int().optional().meta({ description: "Pixels, as shown" }),
    durationSeconds: z.number().int().optional().meta({ description: "Of a video, rounded up" }),
    orientation: z.number().int().optional().meta({ description: "EXIF, 1 to 8" }),
    frames: z.number().int().optional().meta({ description: "Of an animation" }),
    frameRate: z.number().optional().meta({ description: "Frames a second" }),
    videoCodec: z.string().optional(),
    audioCodec: z.string().optional(),
    hasAudio: z.boolean().optional(),
    placeholder: z.string().optional().meta({ description: "A few pixels as a `data:` URL, until the file is loaded" }),
    digest: z.string().meta({ description: "Of the bytes: `blake2b:` and BLAKE2b-512 in hexadecimal" }),
    thumbnailUrl: z.url().optional().meta({ description: "A signed address of a small picture" }),
    createdTime: sixDigits,
  })
  .meta({ id: "Media", description: "A stored picture or video; what is not known of it is absent" });

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

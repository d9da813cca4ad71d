import * as z from "zod";
import { isCid } from "./blobs";

/** Schemas of app.bsky.feed.post and its embeds, from the lexicons of 2026-08-20. Unknown fields are accepted. */
const MAX_IMAGE_BYTES = 2_000_000;
const OLD_MAX_IMAGE_BYTES = 1_000_000;
const MAX_THUMB_BYTES = 1_000_000;
const MAX_VIDEO_BYTES = 300_000_000;
const MAX_CAPTION_BYTES = 20_000;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function text(maxBytes: number, maxGraphemes: number) {
  return z.string().superRefine((value, context) => {
    const bytes = Buffer.byteLength(value);
    const count = [...graphemes.segment(value)].length;
    if (bytes > maxBytes) tooBig(context, `string too big (maximum ${maxBytes}, got ${bytes})`);
    if (count > maxGraphemes) tooBig(context, `grapheme too big (maximum ${maxGraphemes}, got ${count})`);
  });
}

function tooBig(context: z.RefinementCtx, message: string): void {
  context.addIssue({ code: "custom", message });
}

function list<T extends z.ZodType>(item: T, max: number) {
  return z.array(item).superRefine((value, context) => {
    if (value.length > max) tooBig(context, `array too big (maximum ${max}, got ${value.length})`);
  });
}

const count = (min: number) => z.number().int().min(min);
const did = z.string().regex(/^did:[a-z]+:[\w.:%-]+$/, "Invalid DID");
const cid = z.string().refine(isCid, "Invalid CID string");
const uri = z.string().regex(/^\w+:(?:\/\/)?[^\s/][^\s]*$/, "Invalid uri");
const ref = z.looseObject({ uri: z.string().startsWith("at://", "Invalid AT-URI"), cid });
const datetime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, "Invalid datetime")
  .refine((value) => !Number.isNaN(Date.parse(value)), "Invalid datetime");

function blob(accept: RegExp, maxBytes: number) {
  return z
    .strictObject({
      $type: z.literal("blob"),
      ref: z.strictObject({ $link: cid }),
      mimeType: z.string(),
      size: count(0),
    })
    .superRefine(({ mimeType, size }, context) => {
      if (size > maxBytes) tooBig(context, `blob too big (maximum ${maxBytes}, got ${size})`);
      if (!accept.test(mimeType)) tooBig(context, `Invalid mime type ${mimeType}`);
    });
}

const aspectRatio = z.looseObject({ width: count(1), height: count(1) });
const picture = blob(/^image\//, MAX_IMAGE_BYTES);
const images = z.looseObject({
  $type: z.literal("app.bsky.embed.images"),
  images: list(z.looseObject({ image: picture, alt: z.string(), aspectRatio: aspectRatio.optional() }), 4),
});
const gallery = z.looseObject({
  $type: z.literal("app.bsky.embed.gallery"),
  items: list(
    z.looseObject({ $type: z.literal("app.bsky.embed.gallery#image"), image: picture, alt: z.string(), aspectRatio }),
    20,
  ),
});
const caption = z.looseObject({ lang: z.string(), file: blob(/^text\/vtt$/, MAX_CAPTION_BYTES) });
const video = z.looseObject({
  $type: z.literal("app.bsky.embed.video"),
  video: blob(/^video\/mp4$/, MAX_VIDEO_BYTES),
  captions: list(caption, 20).optional(),
  alt: z.string().optional(),
  aspectRatio: aspectRatio.optional(),
});
const external = z.looseObject({
  $type: z.literal("app.bsky.embed.external"),
  external: z.looseObject({
    uri,
    title: z.string(),
    description: z.string(),
    thumb: blob(/^image\//, MAX_THUMB_BYTES).optional(),
  }),
});
const record = z.looseObject({ $type: z.literal("app.bsky.embed.record"), record: ref });
const recordWithMedia = z.looseObject({
  $type: z.literal("app.bsky.embed.recordWithMedia"),
  record: z.looseObject({ record: ref }),
  media: z.discriminatedUnion("$type", [images, gallery, video, external]),
});

const feature = z.discriminatedUnion("$type", [
  z.looseObject({ $type: z.literal("app.bsky.richtext.facet#link"), uri }),
  z.looseObject({ $type: z.literal("app.bsky.richtext.facet#mention"), did }),
  z.looseObject({ $type: z.literal("app.bsky.richtext.facet#tag"), tag: text(640, 64) }),
]);
/** Offsets are not checked against the text: Bluesky accepts wrong ones and renders them badly. */
const facet = z.looseObject({
  index: z.looseObject({ byteStart: count(0), byteEnd: count(0) }),
  features: z.array(feature),
});

export const Post = z.looseObject({
  $type: z.literal("app.bsky.feed.post"),
  text: text(3000, 300),
  createdAt: datetime,
  facets: z.array(facet).optional(),
  reply: z.looseObject({ root: ref, parent: ref }).optional(),
  embed: z.discriminatedUnion("$type", [images, gallery, video, external, record, recordWithMedia]).optional(),
  langs: list(z.string().regex(/^[a-z]{2,3}(-[\w-]+)?$/i, "Invalid language"), 3).optional(),
  tags: list(text(640, 64), 8).optional(),
  labels: z
    .looseObject({
      $type: z.literal("com.atproto.label.defs#selfLabels"),
      values: list(z.looseObject({ val: text(128, 128) }), 10),
    })
    .optional(),
});
export type PostRecord = z.output<typeof Post>;

/** app.bsky.feed.threadgate: who can reply. Without `allow` everyone, with an empty one nobody. */
export const Gate = z.looseObject({
  $type: z.literal("app.bsky.feed.threadgate"),
  post: z.string().startsWith("at://", "Invalid AT-URI"),
  allow: list(
    z.discriminatedUnion("$type", [
      z.looseObject({ $type: z.literal("app.bsky.feed.threadgate#mentionRule") }),
      z.looseObject({ $type: z.literal("app.bsky.feed.threadgate#followerRule") }),
      z.looseObject({ $type: z.literal("app.bsky.feed.threadgate#followingRule") }),
      z.looseObject({ $type: z.literal("app.bsky.feed.threadgate#listRule"), list: z.string().startsWith("at://") }),
    ]),
    5,
  ).optional(),
  createdAt: datetime,
});

/** The problem that a server from before 2026 reports for a valid record: its image limit is 1,000,000 bytes. */
export function oldLexiconProblem({ embed }: PostRecord): string | undefined {
  if (embed?.$type !== "app.bsky.embed.images") return undefined;
  const index = embed.images.findIndex(({ image }) => image.size > OLD_MAX_IMAGE_BYTES);
  const size = embed.images[index]?.image.size;
  if (size === undefined) return undefined;
  const says = `blob too big (maximum ${OLD_MAX_IMAGE_BYTES}, got ${size}) at $.embed.images[${index}].image`;
  return `Invalid app.bsky.feed.post record: ${says}`;
}

/** The problem of a record in the reference server's words, or undefined if it is valid. */
export function lexiconProblem(value: unknown, collection = "app.bsky.feed.post"): string | undefined {
  const lexicon = collection === "app.bsky.feed.post" ? Post : Gate;
  const issue = lexicon.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  const at = ["$", ...issue.path].join(".").replace(/\.(\d+)/g, "[$1]");
  const isMissing = issue.code === "invalid_type" && /received undefined/.test(issue.message);
  const says = isMissing ? `Missing required key "${String(issue.path.at(-1))}"` : issue.message;
  return `Invalid ${collection} record: ${says} at ${at}`;
}

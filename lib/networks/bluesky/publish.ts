import { PlatformError } from "../errors";
import { reachesBack } from "../lookalikes";
import type { OutgoingMedia, OutgoingPost, Published, Run, Searched } from "../network";
import {
  type Blob,
  createPostWithGate,
  newestPosts,
  newRecordKey,
  POSTS,
  POSTS_LISTED,
  publicPost,
  putPost,
  readPost,
  type StrongRef,
  uploadBlob,
} from "./api";
import { facetsOf, richText } from "./facets";
import { resolveHandle } from "./identity";
import { withoutMetadata } from "./image-metadata";
import { linkCardOf } from "./link-card";
import { BROAD_SCOPE, GATE_SCOPE } from "./oauth-client";
import { type BlueskySettings, labelValues, quotedPost } from "./settings";
import { encodeVideo } from "./video";

type Post = OutgoingPost<BlueskySettings>;

/** More images are sent as a gallery (since 2026-06-03), which older apps do not show. */
const MAX_PLAIN_IMAGES = 4;

/**
 * Creates the post under a key chosen in advance, and only if the key is free, so the call can be repeated safely. The whole
 * record is stored before the first call, because a repeat with different content would be refused.
 */
export async function publishPost(post: Post, run: Run): Promise<Published> {
  assertMayGate(post, run);
  const { key, createdAt } = await run.step("key", async () => ({
    key: newRecordKey(),
    createdAt: new Date().toISOString(),
  }));
  const reply = await replyTo(post, run);
  const write = async (time: string) => {
    const record = await run.step(`record${time}`, async () => recordOf(post, run, { createdAt, reply, key, time }));
    const gate = gateOf(post, createdAt);
    const create = () => (gate ? createPostWithGate(run, key, record, gate) : putPost(run, key, record));
    return run.commit("post", async () => (await create()).uri, {
      find: async () => (await readPost(run, key))?.uri,
      lookalikes: {
        likeness: [richText(post.content).text, post.after?.id],
        search: (from) => search(run, key, post, from),
      },
      repeatable: true,
    });
  };
  const uri = await write("").catch((error: unknown) => {
    // The server deletes files that no post uses after some hours, so they are uploaded again.
    if (!(error instanceof PlatformError) || error.answer?.code !== "BlobNotFound") throw error;
    return write(", again");
  });
  return { id: uri, permalink: addressOf(run, uri) };
}

/** Reads the post under its key, if that was stored, or lists the account's posts since then with the same text and parent. */
async function search(run: Run, key: string, { content, after }: Post, from: Date): Promise<Searched> {
  const own = await readPost(run, key);
  if (own) return { listed: [{ id: own.uri, permalink: addressOf(run, own.uri), hasHandle: true }], isWhole: true };
  const { text } = richText(content);
  const newest = await newestPosts(run);
  const listed = newest
    .filter(({ value }) => value.text === text && value.reply?.parent.uri === after?.id)
    .map(({ uri, value }) => ({
      id: uri,
      permalink: addressOf(run, uri),
      createdAt: new Date(value.createdAt),
    }));
  const times = newest.map(({ value }) => new Date(value.createdAt));
  return { listed, isWhole: reachesBack({ times, limit: POSTS_LISTED }, from) };
}

const addressOf = ({ accountId }: Run, uri: string) =>
  `https://bsky.app/profile/${accountId}/post/${uri.split("/").at(-1)}`;

type Facts = { createdAt: string; reply?: Reply; key: string; time: string };
type Reply = { root: StrongRef; parent: StrongRef };

async function recordOf(post: Post, run: Run, { createdAt, reply, key, time }: Facts) {
  const { text, entities } = richText(post.content);
  const dids: { [handle: string]: string | null } = {};
  for (const one of entities)
    if ("handle" in one) dids[one.handle] = (await resolveHandle(run.app, one.handle)) ?? null;
  const facets = facetsOf(entities, dids);
  const link = entities.flatMap((one) => ("link" in one ? [one.link] : []))[0];
  const embed = await embedOf(post, run, link, key, time);
  const { languages = [], labels = [] } = post.settings;
  const values = [...new Set(labels)].map((label) => ({ val: labelValues[label] }));
  return {
    $type: POSTS,
    text,
    createdAt,
    ...(facets.length > 0 ? { facets } : {}),
    ...(embed ? { embed } : {}),
    ...(reply ? { reply } : {}),
    ...(languages.length > 0 ? { langs: Intl.getCanonicalLocales(languages) } : {}),
    ...(values.length > 0 ? { labels: { $type: "com.atproto.label.defs#selfLabels", values } } : {}),
  };
}

const GATE = "app.bsky.feed.threadgate";
const RULES = { MENTIONED: "mentionRule", FOLLOWING: "followingRule", FOLLOWERS: "followerRule" };

/** Who can reply, if not everyone. Only the first post of a thread has a gate; an empty list means nobody. */
function gateOf({ settings: { whoCanReply = [] }, after }: Post, createdAt: string) {
  if (after || whoCanReply.length === 0) return undefined;
  const rules = [...new Set(whoCanReply)].flatMap((who) => (who === "NOBODY" ? [] : [`${GATE}#${RULES[who]}`]));
  return { allow: rules.map(($type) => ({ $type })), createdAt };
}

/** Accounts that were connected earlier lack the scope. Bluesky's refusal would disconnect them. */
function assertMayGate(post: Post, { tokens: { scopes } }: Run): void {
  if (!gateOf(post, "") || !scopes || scopes.includes(GATE_SCOPE) || scopes.includes(BROAD_SCOPE)) return;
  const says = "This account's permission at Bluesky does not cover who can reply. Reconnect the account";
  throw new PlatformError("rejected", says);
}

/** The post to quote. Only the first post of a thread quotes it. */
async function quoteOf({ settings, after }: Post, run: Run) {
  const quoted = after ? undefined : quotedPost(settings.quote ?? "");
  if (!quoted) return undefined;
  return run.step("quote", async () => {
    const { account, key } = quoted;
    const did = account.startsWith("did:") ? account : await resolveHandle(run.app, account);
    const record = did && (await publicPost(run, did, key));
    if (!record) throw new PlatformError("rejected", "The post to quote does not exist on Bluesky (any more)");
    return { $type: "app.bsky.embed.record", record };
  });
}

/** The root of all replies is the thread's first post; each post stores its root. */
async function replyTo({ after }: Post, run: Run): Promise<Reply | undefined> {
  if (!after) return undefined;
  return run.step("parent", async () => {
    const parent = await readPost(run, after.id.split("/").at(-1) ?? "");
    if (!parent) throw new PlatformError("rejected", "The previous post of this thread is no longer on Bluesky");
    const ref = { uri: parent.uri, cid: parent.cid };
    return { root: parent.value.reply?.root ?? ref, parent: ref };
  });
}

async function embedOf(post: Post, run: Run, link: string | undefined, key: string, time: string) {
  const record = await quoteOf(post, run);
  const media = await mediaOf(post, run, link, key, time);
  return record && media ? { $type: "app.bsky.embed.recordWithMedia", record, media } : (record ?? media);
}

async function mediaOf({ media }: Post, run: Run, link: string | undefined, key: string, time: string) {
  const [first] = media;
  if (first?.kind === "video") {
    const video = await encodeVideo(run, first, key, `video${time}`);
    const { altText: alt } = first;
    return { $type: "app.bsky.embed.video", video, ...(alt ? { alt } : {}), ...shapeOf(first) };
  }
  if (first) return imagesOf(run, media, time);
  const card = link && (await run.step(`card${time}`, async () => (await linkCardOf(run, link)) ?? null));
  return card ? { $type: "app.bsky.embed.external", external: card } : undefined;
}

async function imagesOf(run: Run, media: OutgoingMedia[], time: string) {
  const images = [];
  for (const [index, one] of media.entries()) {
    const image = await run.step(`image ${index + 1}${time}`, () => uploadedImage(run, one));
    images.push({ image, alt: one.altText ?? "", ...shapeOf(one) });
  }
  if (images.length <= MAX_PLAIN_IMAGES) return { $type: "app.bsky.embed.images", images };
  const items = images.map((image) => ({ $type: "app.bsky.embed.gallery#image", ...image }));
  return { $type: "app.bsky.embed.gallery", items };
}

async function uploadedImage(run: Run, media: OutgoingMedia): Promise<Blob> {
  return uploadBlob(run, withoutMetadata(await bytesOf(media)), media.contentType);
}

async function bytesOf(media: OutgoingMedia): Promise<Buffer> {
  try {
    return Buffer.from(await new Response(await media.open()).arrayBuffer());
  } catch {
    throw new PlatformError("later", `The file ${media.filename} could not be read`, { refused: true });
  }
}

/** Lets the app reserve space while the media loads. */
function shapeOf({ width, height }: OutgoingMedia) {
  return width && height ? { aspectRatio: { width, height } } : {};
}

import { parseUrl } from "../core/consent";
import type { Call } from "../core/network";
import type { StoredMedia } from "../core/posts";
import { isTrue, parametersOf, pick } from "../meta/graph";
import { errors } from "./errors";
import { fetchPhoto, photoType } from "./media";
import { type PageSession, pageOf } from "./session";
import type { FacebookState, PagePost, Photo } from "./state";

const TEXT_MAX = 63_206;
const BURST = { posts: 40, seconds: 60 };
const HIDDEN_MS = 86_400_000;

type Parameters = Record<string, string>;

/** `POST /{page}/feed`: a text, a link, or previously uploaded photos. */
export async function createPost(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  const { message = "", link } = p;
  const attached = parseAttachedMedia(p);
  if (!message && !link && attached.length === 0)
    throw errors.parameter("At least one of message, link, attached_media is required.");
  const length = state.switches.textUnit === "code points" ? [...message].length : message.length;
  if (length > TEXT_MAX) throw errors.parameter("message is too long");
  if (attached.length > state.switches.maxPhotos) throw errors.parameter("attached_media holds too many photos");
  const photos = attached.map((id) => usablePhoto(state, session.page.id, id));
  if (new Set(attached).size < attached.length) throw errors.parameter("attached_media holds a photo twice");
  if (link !== undefined) assertLink(link);
  const extras = { ...placeOf(p), ...buttonOf(p, link) };
  const before = state.postsOf(session.page.id).at(-1);
  if (message && attached.length === 0 && before?.kind === "status" && before.message === message)
    throw errors.duplicate();
  assertPostRate(state, session);
  const kind = attached.length === 0 ? "status" : attached.length === 1 ? "photo" : "album";
  const post = state.world.transaction(() => {
    const [files, altTexts] = [photos.map(({ file }) => file), photos.map(({ altText }) => altText)];
    const created = storePost(state, session, { kind, message, link, files, altTexts, extras });
    for (const photo of photos) state.photos.put(photo.id, { ...photo, usedBy: created.id });
    return created;
  });
  return call.json({ id: post.id });
}

/** `attached_media` as a JSON list, or `attached_media[0]` and so on. */
function parseAttachedMedia(p: Parameters): string[] {
  const items = p.attached_media
    ? parseJsonList(p.attached_media)
    : Object.entries(p).flatMap(([name, value]) =>
        /^attached_media\[\d+\]$/.test(name) ? parseJsonList(`[${value}]`) : [],
      );
  return items.map((item) => {
    const id = typeof item === "object" && item !== null && "media_fbid" in item ? item.media_fbid : undefined;
    if (typeof id !== "string") throw errors.parameter("attached_media must hold media_fbid");
    return id;
  });
}

function parseJsonList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Reported below.
  }
  throw errors.parameter("attached_media must be an array");
}

/**
 * An unpublished photo of this Page.
 * @throws GraphError if it was used already or is older than a day
 */
function usablePhoto(state: FacebookState, page: string, id: string): Photo {
  const photo = state.photos.get(id);
  if (photo?.page !== page || state.world.clock.now() - photo.createdAt > HIDDEN_MS)
    throw errors.parameter(`Invalid media_fbid: ${id}`);
  if (photo.usedBy) throw errors.usedPhoto();
  return photo;
}

/** Facebook scrapes a link at once and rejects one that it cannot read. */
function assertLink(link: string): void {
  const hostname = parseUrl(link)?.hostname;
  if (!hostname) throw errors.linkNotRead();
  if (/(^|\.)facebook\.com$/.test(hostname)) throw errors.ownLink();
  if (hostname.endsWith(".invalid")) throw errors.linkNotRead();
}

/** The Page of a location. Source: Page feed and Page photos, `place`. */
export function placeOf({ place }: Parameters): { place?: string } {
  if (place === undefined) return {};
  if (!/^\d+$/.test(place)) throw errors.parameter("Param place must be a valid ID");
  return { place };
}

const BUTTONS =
  "BOOK_TRAVEL BUY_NOW CALL_NOW DOWNLOAD GET_DIRECTIONS GET_QUOTE INSTALL_APP INSTALL_MOBILE_APP LEARN_MORE LIKE_PAGE LISTEN_MUSIC MESSAGE_PAGE NO_BUTTON OPEN_LINK PLAY_GAME SHOP_NOW SIGN_UP SUBSCRIBE USE_APP USE_MOBILE_APP WATCH_MORE WATCH_VIDEO".split(
    " ",
  );

/**
 * The button of a link post or a video. Source: Page feed, "Page Post call_to_action".
 * @param link the link of the post's card, which the button must have too
 */
export function buttonOf(p: Parameters, link: string | undefined): { callToAction?: unknown } {
  if (p.call_to_action === undefined) return {};
  const button = parseButton(p.call_to_action);
  if (!BUTTONS.includes(String(button.type))) throw errors.parameter("Param call_to_action[type] is not valid");
  if (!link || button.value?.link !== link)
    throw errors.parameter("The link of the call to action must be the link of the post");
  return { callToAction: button };
}

export function parseButton(text: string): { type?: unknown; value?: { link?: unknown } } {
  try {
    const button: unknown = JSON.parse(text);
    if (typeof button === "object" && button !== null) return button;
  } catch {
    // Reported below.
  }
  throw errors.parameter("Param call_to_action must be an object");
}

export function assertPostRate(state: FacebookState, { page }: PageSession): void {
  if (state.windows.take(`burst ${page.id}`, 1, BURST.posts, BURST.seconds) > 0) throw errors.tooFast();
}

/** `POST /{page}/photos`: a post with one photo, or an unpublished photo to attach later. */
export async function createPhoto(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  const isPublished = p.published === undefined || isTrue(p.published);
  const { bytes, type } = p.url === undefined ? await uploaded(call) : await fetchPhoto(p.url);
  const extras = placeOf(p);
  if (isPublished) assertPostRate(state, session);
  const file = state.world.blobs.store(bytes, type);
  const id = state.world.ids.stamp("12");
  const photo: Photo = {
    id,
    page: session.page.id,
    file,
    altText: p.alt_text_custom,
    createdAt: state.world.clock.now(),
  };
  if (!isPublished) {
    state.photos.put(id, photo);
    return call.json({ id });
  }
  const message = p.caption ?? p.message ?? p.name ?? "";
  const post = state.world.transaction(() => {
    const created = storePost(state, session, {
      kind: "photo",
      message,
      files: [file],
      altTexts: [photo.altText],
      mediaId: id,
      extras,
    });
    state.photos.put(id, { ...photo, usedBy: created.id });
    return created;
  });
  return call.json({ id, post_id: post.id });
}

async function uploaded(call: Call): Promise<{ bytes: Uint8Array; type: string }> {
  const { source } = call.req.header("content-type")?.startsWith("multipart/") ? await call.req.parseBody() : {};
  if (!(source instanceof File)) throw errors.notFetched();
  const bytes = new Uint8Array(await source.arrayBuffer());
  return { bytes, type: await photoType(bytes) };
}

/** `POST /{page}/photo_stories`: publishes an unused photo as a story. */
export async function photoStory(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  const photo = usablePhoto(state, session.page.id, p.photo_id ?? "");
  assertPostRate(state, session);
  const post = state.world.transaction(() => {
    const created = storePost(state, session, { kind: "story", message: "", files: [photo.file], mediaId: photo.id });
    state.photos.put(photo.id, { ...photo, usedBy: created.id });
    return created;
  });
  return call.json({ success: true, post_id: post.id });
}

const DAY_MS = 86_400_000;

/** `GET /{page}/stories`, newest first. */
export function listStories(state: FacebookState, call: Call): Response {
  const session = pageOf(state, call, call.req.query());
  const from = state.world.clock.now() - DAY_MS;
  const fields = (call.req.query("fields") ?? "post_id,status,creation_time,media_type,media_id,url").split(",");
  const stories = state.postsOf(session.page.id).filter(({ kind, createdAt }) => kind === "story" && createdAt > from);
  return call.json({ data: stories.reverse().map((story) => pick(present(state, story), fields, "Stories")) });
}

function present(state: FacebookState, { id, mediaId = "", permalink, createdAt }: PagePost): Record<string, unknown> {
  return {
    post_id: id,
    status: "PUBLISHED",
    creation_time: String(Math.floor(createdAt / 1000)),
    media_type: state.videos.get(mediaId) ? "video" : "photo",
    media_id: mediaId,
    url: permalink,
  };
}

export type NewPost = {
  kind: PagePost["kind"];
  message: string;
  files: StoredMedia[];
  /** Alt text per file, in the same order. */
  altTexts?: (string | undefined)[];
  link?: string;
  mediaId?: string;
  /** The place and the button. */
  extras?: { place?: string; callToAction?: unknown };
};

/** Stores a post. Its id is the Page's id and its own, joined by an underscore. */
export function storePost(
  state: FacebookState,
  { page, account }: Pick<PageSession, "page" | "account">,
  made: NewPost,
): PagePost {
  const own = state.world.ids.stamp("12");
  const id = `${page.id}_${own}`;
  const createdAt = state.world.clock.now();
  const { kind, message, link, mediaId, files, altTexts = [], extras } = made;
  const permalink = permalinkOf(kind, page.id, own, mediaId);
  state.world.posts.add({
    id,
    network: "facebook",
    account,
    text: message,
    media: files,
    chatId: page.id,
    settings: { kind, ...(link ? { link } : {}), ...(altTexts.some(Boolean) ? { altTexts } : {}), ...extras },
    permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  return state.addPost({ id, page: page.id, account, kind, message, link, mediaId, permalink, createdAt });
}

function permalinkOf(kind: PagePost["kind"], page: string, own: string, mediaId = ""): string {
  if (kind === "reel") return `https://www.facebook.com/reel/${mediaId}/`;
  if (kind === "video") return `https://www.facebook.com/${page}/videos/${mediaId}/`;
  if (kind === "story") return `https://www.facebook.com/stories/${page}/${own}/`;
  return `https://www.facebook.com/${page}/posts/${own}`;
}

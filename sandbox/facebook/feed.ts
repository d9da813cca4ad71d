import type { Call } from "../core/network";
import { isTrue, parametersOf } from "../meta/parameters";
import { refusals } from "./errors";
import { fetchPhoto, photoType } from "./fetch-photo";
import { keepPost } from "./keep";
import { type PageSession, pageOf } from "./session";
import type { FacebookState, Photo } from "./state";

const TEXT_MAX = 63_206;
const BURST = { posts: 40, seconds: 60 };
const HIDDEN_MS = 86_400_000;

type Parameters = Record<string, string>;

/** `POST /{page}/feed`: a text, a link, or photos that were put up before. */
export async function createPost(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  const { message = "", link } = p;
  const attached = attachedIn(p);
  if (!message && !link && attached.length === 0)
    throw refusals.parameter("At least one of message, link, attached_media is required.");
  if (message.length > TEXT_MAX) throw refusals.parameter("message is too long");
  const photos = attached.map((id) => usablePhoto(state, session.page.id, id));
  if (new Set(attached).size < attached.length) throw refusals.parameter("attached_media holds a photo twice");
  if (link !== undefined) assertLink(link);
  const before = state.postsOf(session.page.id).at(-1);
  if (message && attached.length === 0 && before?.kind === "status" && before.message === message)
    throw refusals.duplicate();
  assertPace(state, session);
  const kind = attached.length === 0 ? "status" : attached.length === 1 ? "photo" : "album";
  const post = state.world.together(() => {
    const [files, altTexts] = [photos.map(({ file }) => file), photos.map(({ altText }) => altText)];
    const made = keepPost(state, session, { kind, message, link, files, altTexts });
    for (const photo of photos) state.photos.put(photo.id, { ...photo, usedBy: made.id });
    return made;
  });
  return call.json({ id: post.id });
}

/** `attached_media` as a JSON list, or `attached_media[0]` and so on. */
function attachedIn(p: Parameters): string[] {
  const items = p.attached_media
    ? listIn(p.attached_media)
    : Object.entries(p).flatMap(([name, value]) => (/^attached_media\[\d+\]$/.test(name) ? listIn(`[${value}]`) : []));
  return items.map((item) => {
    const id = typeof item === "object" && item !== null && "media_fbid" in item ? item.media_fbid : undefined;
    if (typeof id !== "string") throw refusals.parameter("attached_media must hold media_fbid");
    return id;
  });
}

function listIn(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Said below.
  }
  throw refusals.parameter("attached_media must be an array");
}

/** Unpublished, of this Page, not used and not older than a day. */
export function usablePhoto(state: FacebookState, page: string, id: string): Photo {
  const photo = state.photos.get(id);
  if (photo?.page !== page || state.world.clock.now() - photo.createdAt > HIDDEN_MS)
    throw refusals.parameter(`Invalid media_fbid: ${id}`);
  if (photo.usedBy) throw refusals.usedPhoto();
  return photo;
}

/** Scraped at once: what does not resolve cannot be a card. */
function assertLink(link: string): void {
  if (!URL.canParse(link)) throw refusals.linkNotRead();
  const { hostname } = new URL(link);
  if (/(^|\.)facebook\.com$/.test(hostname)) throw refusals.ownLink();
  if (hostname.endsWith(".invalid")) throw refusals.linkNotRead();
}

export function assertPace(state: FacebookState, { page }: PageSession): void {
  if (state.windows.take(`burst ${page.id}`, 1, BURST.posts, BURST.seconds) > 0) throw refusals.tooFast();
}

/** `POST /{page}/photos`: a post with one photo, or a photo that nobody sees until it is attached. */
export async function createPhoto(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  const isPublished = p.published === undefined || isTrue(p.published);
  const { bytes, type } = p.url === undefined ? await uploaded(call) : await fetchPhoto(p.url);
  if (isPublished) assertPace(state, session);
  const file = state.world.blobs.keep(bytes, type);
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
  const post = state.world.together(() => {
    const made = keepPost(state, session, {
      kind: "photo",
      message,
      files: [file],
      altTexts: [photo.altText],
      mediaId: id,
    });
    state.photos.put(id, { ...photo, usedBy: made.id });
    return made;
  });
  return call.json({ id, post_id: post.id });
}

async function uploaded(call: Call): Promise<{ bytes: Uint8Array; type: string }> {
  const { source } = call.req.header("content-type")?.startsWith("multipart/") ? await call.req.parseBody() : {};
  if (!(source instanceof File)) throw refusals.notFetched();
  const bytes = new Uint8Array(await source.arrayBuffer());
  return { bytes, type: await photoType(bytes) };
}

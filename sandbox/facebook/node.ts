import { type Call, hasFault, type Operation } from "../core/network";
import { fieldsOf, paginate, parametersOf, pick } from "../meta/graph";
import { comment, presentComment } from "./comments";
import { errors } from "./errors";
import { photoType, problemAt } from "./media";
import { pageOf, pageSession, userOf, viewerOf } from "./session";
import { type FacebookState, type PagePost, reachablePagesOf, userId, type Video } from "./state";
import { presentPage, presentUser } from "./user";

const POLLS = 2;

/** `GET /{id}`: the user, a Page, a video or a post. */
export function node(state: FacebookState, call: Call): Response {
  const id = call.req.param("id") ?? "";
  const session = viewerOf(state, call, call.req.query());
  if (id === "me" || id === userId(session.account)) return presentUser(state, call);
  const video = state.videos.get(id);
  if (video) {
    pageSession(state, session, video.page);
    return call.json(presentVideo(state, call, video));
  }
  const post = state.posts.get(id);
  if (post) {
    pageSession(state, session, post.page);
    return call.json(presentPost(call, post));
  }
  const found = comment(state, id);
  if (found) return call.json(presentComment(call, found, pageSession(state, session, found.chatId ?? "").page));
  // A Page token reads its own Page.
  if (session.ownPage === id) return call.json(presentPage(state, call, session, pageSession(state, session, id).page));
  const page = session.ownPage
    ? undefined
    : reachablePagesOf(state, session.account, session.grant).find((one) => one.id === id);
  if (!page) throw errors.noObject(id, "get");
  return call.json(presentPage(state, call, userOf(state, call, call.req.query(), "pages_show_list"), page));
}

export function nodeOperation(state: FacebookState, call: Call): Operation {
  const id = call.req.param("id") ?? "";
  return state.videos.get(id) || state.posts.get(id) ? "status" : "profile";
}

function presentVideo(state: FacebookState, call: Call, video: Video): Record<string, unknown> {
  const updated = hasFault(call, "processing_fails") ? failProcessing(state, call, video) : video;
  const polled = state.videos.put(video.id, { ...updated, polls: updated.polls + (updated.file ? 1 : 0) });
  const post = polled.postId ? state.posts.get(polled.postId) : undefined;
  const isOver = polled.polls > POLLS;
  const isOut = isOver && post !== undefined && polled.polls > (polled.shownAfter ?? 0);
  const node = {
    id: polled.id,
    status: statusOf(polled, isOver, isOut),
    published: isOut,
    // Both appear only after processing.
    post_id: isOut ? post.id : undefined,
    permalink_url: isOut ? videoLinkOf(state, post) : undefined,
  };
  return pick(node, fieldsOf(call, ["id"]), "AdVideo");
}

function videoLinkOf({ switches }: FacebookState, { permalink }: PagePost): string {
  return switches.videoLinkHasHost ? permalink : new URL(permalink).pathname;
}

/** Fails the processing of a video and removes its post, unless it was already reported as published. */
function failProcessing(state: FacebookState, call: Call, video: Video): Video {
  const post = state.posts.get(video.postId ?? "");
  if (post && video.polls > POLLS) return video;
  if (post) {
    state.removePost(post);
    state.world.posts.remove("facebook", post.id, post.page);
  }
  return { ...video, postId: undefined, problem: problemAt(call, video) };
}

/** Whether the upload host took the bytes, but the Graph API does not have all of them yet (fault `late_upload`). */
export function isStillArriving({ isLate, polls }: Video): boolean {
  return isLate === true && polls <= POLLS;
}

/** A processing error appears only in `processing_phase`; the overall status stays "processing". */
function statusOf(video: Video, isOver: boolean, isOut: boolean) {
  const { received, problem, isStuck } = video;
  const file = isStillArriving(video) ? undefined : video.file;
  const error = problem && isOver ? { error: problem } : {};
  const isReady = isOver && !problem && !isStuck;
  const overall = !file ? "uploading" : isOut ? "ready" : isReady ? "upload_complete" : "processing";
  return {
    video_status: overall,
    uploading_phase: {
      status: file ? "complete" : received > 0 ? "in_progress" : "not_started",
      bytes_transfered: received,
    },
    processing_phase: { status: isOut ? "complete" : "not_started", ...error },
    publishing_phase: { status: isOut ? "complete" : "not_started", ...(isOut ? { publish_status: "published" } : {}) },
  };
}

function presentPost(call: Call, post: PagePost): Record<string, unknown> {
  const kinds = {
    photo: "photo",
    album: "album",
    video: "video",
    reel: "video",
    story: undefined,
    status: undefined,
  } as const;
  const type = kinds[post.kind] ?? (post.link ? "link" : undefined);
  const node = {
    id: post.id,
    message: post.message || undefined,
    // The Graph API writes the UTC offset without a colon.
    created_time: new Date(post.createdAt).toISOString().replace(/\.\d+Z$/, "+0000"),
    permalink_url: post.permalink,
    application: { id: "sandbox-facebook", name: "Sandbox" },
    attachments: type && { data: [{ media_type: type }] },
  };
  return pick(node, fieldsOf(call, ["id", "message", "created_time"]), "PagePost");
}

/** `GET /{page}/published_posts`, newest first, without stories. */
export function listPosts(state: FacebookState, call: Call): Response {
  const query = call.req.query();
  const session = pageOf(state, call, query);
  const from = Number(query.since ?? 0) * 1000;
  const newest = state
    .postsOf(session.page.id)
    .filter(({ kind, createdAt }) => kind !== "story" && createdAt >= from)
    .reverse();
  return paginate(call, newest, (post) => presentPost(call, post), { hidden: state.switches.hiddenPerPage });
}

/** `POST /{video}/thumbnails`. */
export async function setThumbnail(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const video = state.videos.get(call.req.param("id") ?? "");
  if (!video) throw errors.noObject(call.req.param("id") ?? "", "post");
  pageOf(state, call, p, video.page);
  const { source } = await call.req.parseBody();
  if (!(source instanceof File)) throw errors.parameter("The parameter source is required.");
  const bytes = new Uint8Array(await source.arrayBuffer());
  const cover = state.world.blobs.store(bytes, await photoType(bytes));
  state.videos.put(video.id, { ...video, cover });
  const shown = state.world.posts.list("facebook").find(({ id }) => id === video.postId);
  if (shown) state.world.posts.add({ ...shown, settings: { ...shown.settings, cover: cover.sha256 } });
  return call.json({ success: true });
}

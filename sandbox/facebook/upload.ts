import fs from "node:fs";
import { inspectMedia } from "../core/media";
import { type Call, hasFault } from "../core/network";
import { parametersOf } from "../meta/graph";
import { errors, UploadError } from "./errors";
import { crawl, findVideoProblem, problemAt } from "./media";
import { isStillArriving } from "./node";
import { assertPostRate, buttonOf, type NewPost, parseButton, placeOf, storePost } from "./posts";
import { bearerOf, type PageSession, pageOf, pageSession, tokenIn } from "./session";
import type { FacebookState, Video } from "./state";

const CHUNK_BYTES = 256 * 1024;
const REELS_PER_DAY = 30;

type Parameters = Record<string, string>;

/** `POST /{page}/videos`: a chunked upload, or a file URL. */
export async function feedVideo(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  switch (p.upload_phase?.toLowerCase()) {
    case "start":
      return startChunked(state, call, session, p);
    case "transfer":
      return transfer(state, call, session, p);
    case "finish":
      return finish(
        state,
        call,
        session,
        ownVideo(state, session, p.upload_session_id, "session"),
        p.description ?? "",
        videoButton(p),
      );
    case "cancel":
      return call.json({ success: true });
    case undefined:
      return fromAddress(state, call, session, p);
    default:
      throw errors.parameter(
        `Param upload_phase must be one of {start, transfer, finish, cancel} - got "${p.upload_phase}".`,
      );
  }
}

/** A video has no card, so its button needs only a link of its own. */
function videoButton(p: Parameters): { callToAction?: unknown } {
  const link = p.call_to_action === undefined ? undefined : parseButton(p.call_to_action).value?.link;
  return buttonOf(p, typeof link === "string" && /^https?:/.test(link) ? link : undefined);
}

function startChunked(state: FacebookState, call: Call, session: PageSession, p: Parameters): Response {
  const sizeBytes = Number(p.file_size);
  if (!Number.isInteger(sizeBytes) || sizeBytes < 1) throw errors.parameter("The parameter file_size is required.");
  if (sizeBytes > state.switches.maxVideoBytes) throw errors.parameter("The video is too large", { subcode: 1363023 });
  const video = createVideo(state, call, session, "feed", { sizeBytes, session: state.world.ids.stamp("13") });
  return call.json({ upload_session_id: video.session, video_id: video.id, ...offsetsOf(video) });
}

const nextOf = ({ received, sizeBytes = 0 }: Video) => Math.min(received + CHUNK_BYTES, sizeBytes);
const offsetsOf = (video: Video) => ({ start_offset: String(video.received), end_offset: String(nextOf(video)) });

async function transfer(state: FacebookState, call: Call, session: PageSession, p: Parameters): Promise<Response> {
  const video = ownVideo(state, session, p.upload_session_id, "session");
  const { video_file_chunk: chunk } = await call.req.parseBody();
  if (!(chunk instanceof File)) throw errors.parameter("The parameter video_file_chunk is required.");
  const bytes = new Uint8Array(await chunk.arrayBuffer());
  if (Number(p.start_offset) !== video.received || bytes.length !== nextOf(video) - video.received)
    throw errors.otherOffset(video.received, nextOf(video));
  fs.appendFileSync(state.partsOf(video.id), bytes);
  const received = video.received + bytes.length;
  const updated = state.videos.put(video.id, { ...video, received, problem: problemAt(call, video) });
  if (updated.received === updated.sizeBytes) await inspectUpload(state, updated);
  return call.json(offsetsOf(updated));
}

async function fromAddress(state: FacebookState, call: Call, session: PageSession, p: Parameters): Promise<Response> {
  if (!p.file_url) throw errors.parameter("The parameter file_url is required.");
  const { bytes } = await crawl(p.file_url, state.switches.maxVideoBytes).catch(() => {
    throw errors.parameter("Unable to fetch video file from URL.", { subcode: 389 });
  });
  const video = createVideo(state, call, session, "feed", { sizeBytes: bytes.length });
  fs.writeFileSync(state.partsOf(video.id), bytes);
  const inspected = await inspectUpload(state, { ...video, received: bytes.length });
  publishVideo(state, session, inspected, p.description ?? "");
  return call.json({ id: video.id });
}

/** `POST /{page}/video_reels` and `/video_stories`: the start and finish phases. The bytes go to the upload host. */
export async function phasedUpload(state: FacebookState, call: Call, kind: "reel" | "story"): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  if (p.upload_phase?.toLowerCase() === "start") {
    if (kind === "reel" && reelsToday(state, session.page.id) >= REELS_PER_DAY) throw errors.tooManyReels();
    const video = createVideo(state, call, session, kind, {});
    return call.json({
      video_id: video.id,
      upload_url: new URL(`/facebook/video-upload/v26.0/${video.id}`, call.req.url).href,
    });
  }
  if (p.upload_phase?.toLowerCase() !== "finish")
    throw errors.parameter("Param upload_phase must be one of {start, finish}.");
  if (kind === "reel" && p.video_state !== "PUBLISHED")
    throw errors.parameter("Param video_state must be PUBLISHED here.");
  return finish(
    state,
    call,
    session,
    ownVideo(state, session, p.video_id, "id"),
    kind === "reel" ? (p.description ?? "") : "",
    kind === "reel" ? placeOf(p) : {},
  );
}

function reelsToday(state: FacebookState, page: string): number {
  const from = state.world.clock.now() - 86_400_000;
  return state.postsOf(page).filter((post) => post.kind === "reel" && post.createdAt > from).length;
}

function createVideo(
  state: FacebookState,
  call: Call,
  session: PageSession,
  kind: Video["kind"],
  more: Partial<Video>,
): Video {
  const video: Video = {
    id: state.world.ids.stamp("12"),
    page: session.page.id,
    account: session.account,
    kind,
    received: 0,
    polls: 0,
    text: "",
    problem: problemAt(call),
    createdAt: state.world.clock.now(),
    ...more,
  };
  fs.writeFileSync(state.partsOf(video.id), "");
  return state.videos.put(video.id, video);
}

function ownVideo(state: FacebookState, session: PageSession, given: string | undefined, by: "id" | "session"): Video {
  const video =
    by === "id" ? state.videos.get(given ?? "") : state.videos.values().find((one) => one.session === given);
  if (!given || video?.page !== session.page.id)
    throw by === "id" ? errors.noObject(given ?? "", "post") : errors.lostSession();
  return video;
}

/** `POST /video-upload/{version}/{video}` of the upload host: bytes from an offset, or a URL to fetch. */
export async function receiveBytes(state: FacebookState, call: Call): Promise<Response> {
  if (!/^OAuth /.test(call.req.header("authorization") ?? ""))
    throw new UploadError("NotAuthorizedError", "Authorization: OAuth is required");
  const live = bearerOf(state, call, tokenIn(call));
  const video = state.videos.get(call.req.param("id") ?? "");
  if (!video) throw new UploadError("ProcessingFailedError", "No such upload");
  pageSession(state, live, video.page);
  const address = call.req.header("file_url");
  const [from, sizeBytes] = address === undefined ? sentFrom(call) : [0, 0];
  if (address === undefined && from !== video.received)
    throw new UploadError("OffsetInvalidError", `offset must be ${video.received}`);
  const bytes = address === undefined ? await bodyOf(state, call, video) : await fetched(state, address);
  if (address !== undefined) fs.appendFileSync(state.partsOf(video.id), bytes);
  const total = address === undefined ? sizeBytes : bytes.length;
  const updated = state.videos.put(video.id, {
    ...video,
    sizeBytes: total,
    received: fs.statSync(state.partsOf(video.id)).size,
    problem: problemAt(call, video),
    isStuck: hasFault(call, "stuck_processing"),
    isLate: hasFault(call, "late_upload"),
  });
  if (updated.received < total)
    throw new UploadError("PartialRequestError", `received ${updated.received} of ${total}`);
  await inspectUpload(state, updated);
  return call.json({ success: true });
}

function sentFrom(call: Call): [from: number, sizeBytes: number] {
  const [from, sizeBytes] = [Number(call.req.header("offset")), Number(call.req.header("file_size"))];
  if (!Number.isInteger(from) || !Number.isInteger(sizeBytes) || sizeBytes < 1)
    throw new UploadError("ProcessingFailedError", "offset and file_size are required");
  return [from, sizeBytes];
}

/** Writes the body as it arrives, so an interrupted upload keeps the received bytes. */
async function bodyOf(state: FacebookState, call: Call, { id }: Video): Promise<Uint8Array> {
  const reader = call.req.raw.body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      fs.appendFileSync(state.partsOf(id), part.value);
  } catch {
    const received = fs.statSync(state.partsOf(id)).size;
    const video = state.videos.get(id);
    if (video) state.videos.put(id, { ...video, received });
    throw new UploadError("PartialRequestError", "The connection broke off");
  }
  return new Uint8Array();
}

async function fetched({ switches }: FacebookState, address: string): Promise<Uint8Array> {
  const file = await crawl(address, switches.maxVideoBytes).catch(() => undefined);
  if (!file) throw new UploadError("ProcessingFailedError", "The file_url could not be fetched");
  return file.bytes;
}

async function inspectUpload(state: FacebookState, video: Video): Promise<Video> {
  const bytes = fs.readFileSync(state.partsOf(video.id));
  const { type } = await inspectMedia(bytes);
  const file = state.world.blobs.store(bytes, type);
  fs.rmSync(state.partsOf(video.id), { force: true });
  return state.videos.put(video.id, {
    ...video,
    file,
    problem: video.problem ?? (await findVideoProblem(bytes, video.kind, state.switches.formatCode)),
  });
}

type Extras = NewPost["extras"];

function finish(
  state: FacebookState,
  call: Call,
  session: PageSession,
  video: Video,
  text: string,
  extras: Extras,
): Response {
  if (!video.file || isStillArriving(video)) throw errors.notUploaded();
  if (video.kind === "story" && video.problem)
    throw errors.parameter(video.problem.message, { subcode: video.problem.code });
  if (video.postId && state.switches.finishedAgain === "error") throw errors.finishedBefore();
  if (!video.postId) {
    assertPostRate(state, session);
    publishVideo(state, session, { ...video, problem: problemAt(call, video) }, text, extras);
  }
  const postId = state.videos.get(video.id)?.postId;
  return call.json({ success: true, ...(video.kind === "story" && postId ? { post_id: postId } : {}) });
}

/** Publishes a video. One with a problem never becomes public; only its status shows the problem. */
function publishVideo(state: FacebookState, session: PageSession, video: Video, text: string, extras?: Extras): void {
  if (!video.file || video.problem) {
    state.videos.put(video.id, { ...video, text, postId: undefined });
    return;
  }
  const kind = video.kind === "feed" ? "video" : video.kind;
  state.world.transaction(() => {
    const post = storePost(state, session, {
      kind,
      message: text,
      files: video.file ? [video.file] : [],
      mediaId: video.id,
      extras,
    });
    const shownAfter = video.polls + state.switches.finishShowsAfterReads;
    state.videos.put(video.id, { ...video, text, postId: post.id, shownAfter });
  });
}

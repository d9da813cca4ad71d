import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { Call } from "../core/network";
import type { Post } from "../core/posts";
import { partsOf, pickParts, sessionOf, YouTubeError } from "./request";
import { channelId, type Video, type YouTubeState } from "./state";

const NewThread = z.strictObject({
  snippet: z.strictObject({
    videoId: z.string(),
    channelId: z.string().optional(),
    topLevelComment: z.strictObject({ snippet: z.strictObject({ textOriginal: z.string() }) }),
  }),
});

const COST = 50;
const TEXT_MAX = 10_000;

/** `POST /youtube/v3/commentThreads?part=snippet`. Only `youtube.force-ssl` covers it. Source: commentThreads, insert. */
export async function createComment(state: YouTubeState, call: Call): Promise<Response> {
  const { account } = sessionOf(state, call, ["youtube.force-ssl"], COST);
  const parts = partsOf(call, ["id", "snippet", "replies"]);
  const body = NewThread.safeParse(await call.req.json().catch(() => undefined));
  if (!body.success) throw failure(400, "invalidCommentThreadMetadata", "The request metadata is invalid.");
  const { videoId, topLevelComment } = body.data.snippet;
  const video = openVideo(state, videoId);
  const { textOriginal: text } = topLevelComment.snippet;
  if (text.trim() === "") throw failure(400, "commentTextRequired", "The comment text is required.");
  if (text.length > TEXT_MAX) throw failure(400, "commentTextTooLong", "The comment text is too long.");
  const id = `Ug${randomBytes(18).toString("base64url")}`;
  const comment = state.world.posts.add({
    id,
    network: "youtube",
    account,
    text,
    media: [],
    replyTo: video.id,
    settings: {},
    permalink: `https://www.youtube.com/watch?v=${video.id}&lc=${id}`,
    receivedTime: new Date(state.world.clock.now()).toISOString(),
  });
  return call.json(pickParts(present(comment), parts));
}

/** `GET /youtube/v3/commentThreads?videoId=&order=time`: newest first. */
export function listComments(state: YouTubeState, call: Call): Response {
  sessionOf(state, call, ["youtube.force-ssl"], 1);
  const parts = partsOf(call, ["id", "snippet", "replies"]);
  const video = openVideo(state, call.req.query("videoId") ?? "");
  const comments = state.world.posts.list("youtube").filter(({ replyTo }) => replyTo === video.id);
  const items = comments.reverse().map((comment) => pickParts(present(comment), parts));
  return call.json({ kind: "youtube#commentThreadListResponse", etag: "e", items });
}

function present({ id, text, account, replyTo, receivedTime }: Post): Record<string, unknown> {
  const snippet = {
    textOriginal: text,
    textDisplay: text,
    videoId: replyTo,
    authorDisplayName: account,
    authorChannelId: { value: channelId(account) },
    publishedAt: receivedTime,
    updatedAt: receivedTime,
  };
  const topLevelComment = { kind: "youtube#comment", etag: "e", id, snippet };
  return { kind: "youtube#commentThread", etag: "e", id, snippet: { videoId: replyTo, topLevelComment } };
}

/** A video that can have comments. */
function openVideo(state: YouTubeState, id: string): Video {
  const video = state.videos.get(id);
  if (!video) throw failure(404, "videoNotFound", "The video identified by the videoId parameter could not be found.");
  if (video.privacy === "private" || video.madeForKids)
    throw failure(403, "commentsDisabled", "The video identified by the videoId parameter has disabled comments.");
  return video;
}

const failure = (status: 400 | 403 | 404, reason: string, message: string) =>
  new YouTubeError(status, reason, message, { domain: "youtube.commentThread" });

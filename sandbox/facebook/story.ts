import type { Call } from "../core/network";
import { pick } from "../meta/fields";
import { parametersOf } from "../meta/parameters";
import { assertPace, usablePhoto } from "./feed";
import { keepPost } from "./keep";
import { pageOf } from "./session";
import type { FacebookState, PagePost } from "./state";

/** `POST /{page}/photo_stories`: of a photo that is in no post. */
export async function photoStory(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  const session = pageOf(state, call, p);
  const photo = usablePhoto(state, session.page.id, p.photo_id ?? "");
  assertPace(state, session);
  const post = state.world.together(() => {
    const made = keepPost(state, session, { kind: "story", message: "", files: [photo.file], mediaId: photo.id });
    state.photos.put(photo.id, { ...photo, usedBy: made.id });
    return made;
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

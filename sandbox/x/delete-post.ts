import type { Call } from "../core/network";
import { forbidden } from "./errors";
import { sessionOf } from "./session";
import type { XState } from "./state";

/** `DELETE /2/tweets/{id}`: own posts only. */
export function deletePost(state: XState, call: Call): Response {
  const session = sessionOf(state, call, "deletePost", ["tweet.read", "tweet.write", "users.read"]);
  const post = state.posts.get(call.req.param("id") ?? "");
  if (post && post.account !== session.account) throw forbidden("You are not authorized to delete this Tweet.");
  if (post) {
    state.world.together(() => {
      state.dropPost(post);
      state.world.posts.remove("x", post.id);
    });
  }
  return call.json({ data: { deleted: post !== undefined } });
}

import type { Call } from "../core/network";
import { fieldsOf, pick } from "../meta/fields";
import { assertOwnProfile, sessionOf } from "./session";
import type { ThreadsState } from "./state";

const DAY_MS = 86_400_000;
const TOTALS = { post: 250, reply: 1000 };

/** Published in the moving 24 hours; replies are counted apart. */
export function usedToday(state: ThreadsState, account: string, kind: "post" | "reply") {
  const from = state.world.clock.now() - DAY_MS;
  const counted = state
    .mediaOf(account)
    .filter(({ createdAt, replyTo }) => createdAt > from && (replyTo !== undefined) === (kind === "reply"));
  return { used: counted.length, total: TOTALS[kind] };
}

/** `GET /{profile}/threads_publishing_limit`. */
export function publishingLimit(state: ThreadsState, call: Call): Response {
  const session = sessionOf(state, call, call.req.query(), "threads_content_publish");
  assertOwnProfile(call, session, "get");
  const [posts, replies] = [usedToday(state, session.account, "post"), usedToday(state, session.account, "reply")];
  const node = {
    quota_usage: posts.used,
    config: { quota_total: posts.total, quota_duration: 86_400 },
    reply_quota_usage: replies.used,
    reply_config: { quota_total: replies.total, quota_duration: 86_400 },
    delete_quota_usage: 0,
    delete_config: { quota_total: 100, quota_duration: 86_400 },
  };
  const fields = fieldsOf(call, ["quota_usage"]).filter((field) => field !== "id");
  return call.json({ data: [pick(node, fields, "ThreadsPublishingLimit")] });
}

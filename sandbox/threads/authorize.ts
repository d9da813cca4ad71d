import { isReturnAddress, notice } from "../core/consent";
import { askConsent } from "../core/consent-flow";
import type { Call } from "../core/network";
import type { ThreadsState } from "./state";

/** Threads has an application id and secret of its own inside the Meta app. */
export const CLIENT = { id: "sandbox-threads", secret: "sandbox-threads-secret" };
const CODE_SECONDS = 3600;

const SCOPES: Record<string, string> = {
  threads_basic: "see your profile and posts",
  threads_content_publish: "post for you",
  threads_manage_replies: "reply for you and manage replies",
  threads_read_replies: "read replies",
  threads_delete: "delete your posts",
  threads_manage_insights: "see your insights",
  threads_location_tagging: "tag places",
  threads_manage_mentions: "read posts that mention you",
  threads_keyword_search: "search posts",
  threads_profile_discovery: "read public profiles",
  threads_share_to_instagram: "share your posts to Instagram",
};

/** `GET` and `POST /oauth/authorize`; source: Threads, get access tokens and permissions. */
export async function authorize(state: ThreadsState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(/[ ,]+/).filter(Boolean);
  if (query.client_id !== CLIENT.id) return refused(call, "An unknown error has occurred: invalid client_id");
  if (!isReturnAddress(query.redirect_uri ?? "")) return refused(call, "Invalid redirect_uri");
  if (query.response_type !== "code") return refused(call, "Invalid response_type");
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (scopes.length === 0 || unknown) return refused(call, `Invalid scopes: ${unknown ?? "none"}`);
  const page = { network: "threads", name: "Threads", asks: scopes.map((scope) => SCOPES[scope] ?? scope) };
  return askConsent(state.world, call, {
    page,
    denied: {
      error: "access_denied",
      error_reason: "user_denied",
      error_description: "The user denied your request",
    },
    allow: (account) => ({
      code: state.codes.issue(
        { account, clientId: CLIENT.id, redirectUri: query.redirect_uri ?? "", scopes },
        CODE_SECONDS,
      ),
    }),
    fragment: "#_",
  });
}

function refused(call: Call, reason: string) {
  return notice(call, "Threads", "Sorry, something went wrong", reason, 400);
}

import { isReturnAddress, notice } from "../core/consent";
import { askConsent } from "../core/consent-flow";
import type { Answer, Call } from "../core/network";
import type { XState } from "./state";

export const CLIENT = { id: "sandbox-x", secret: "sandbox-x-secret" };
const CODE_SECONDS = 30;

const SCOPES: Record<string, string> = {
  "tweet.read": "see posts that you can see",
  "tweet.write": "post for you",
  "users.read": "see your profile",
  "media.write": "upload pictures and videos for you",
  "offline.access": "stay connected until you withdraw it",
  "tweet.moderate.write": "hide replies",
  "follows.read": "see whom you follow",
  "follows.write": "follow for you",
  "like.read": "see your likes",
  "like.write": "like for you",
  "list.read": "see your lists",
  "list.write": "change your lists",
  "bookmark.read": "see your bookmarks",
  "bookmark.write": "change your bookmarks",
  "space.read": "see Spaces",
  "mute.read": "see whom you muted",
  "mute.write": "mute for you",
  "block.read": "see whom you blocked",
  "block.write": "block for you",
  "dm.read": "see your messages",
  "dm.write": "send messages for you",
};

/** `GET` and `POST /i/oauth2/authorize`; source: docs.x.com, OAuth 2.0 authorization code flow with PKCE. */
export async function authorize(state: XState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(" ").filter(Boolean);
  if (!isWellFormed(query, scopes)) return somethingWentWrong(call);
  const page = { network: "x", name: "X", asks: scopes.map((scope) => SCOPES[scope] ?? scope) };
  const { redirect_uri: redirectUri = "", code_challenge: challenge } = query;
  const challengeMethod = query.code_challenge_method ?? "plain";
  return askConsent(state.world, call, {
    page,
    denied: { error: "access_denied" },
    allow(account) {
      const facts = { account, clientId: CLIENT.id, redirectUri, scopes, challenge, challengeMethod };
      return { code: state.codes.issue(facts, CODE_SECONDS) };
    },
  });
}

function isWellFormed(query: Record<string, string>, scopes: string[]): boolean {
  const method = query.code_challenge_method ?? "plain";
  const challenge = query.code_challenge ?? "";
  return (
    query.response_type === "code" &&
    query.client_id === CLIENT.id &&
    isReturnAddress(query.redirect_uri ?? "") &&
    scopes.length > 0 &&
    scopes.every((scope) => Object.hasOwn(SCOPES, scope)) &&
    !!query.state &&
    query.state.length <= 500 &&
    ((method === "S256" && /^[\w-]{43}$/.test(challenge)) ||
      (method === "plain" && /^[\w.~-]{43,128}$/.test(challenge)))
  );
}

/** X sends nobody back with an error in the request: it shows this page. */
function somethingWentWrong(call: Call): Answer {
  const text = "You weren’t able to give access to the App. Go back and try logging in again.";
  return notice(call, "X", "Something went wrong", text, 400);
}

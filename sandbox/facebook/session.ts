import { createHmac, timingSafeEqual } from "node:crypto";
import { fingerprint } from "../core/ids";
import type { Call } from "../core/network";
import { errors } from "./errors";
import { CLIENT } from "./oauth";
import { type FacebookState, type Page, reachablePagesOf } from "./state";

export type UserSession = { account: string; scopes: string[]; grant: string };
export type PageSession = UserSession & { page: Page };

type Parameters = Record<string, string>;

export function tokenIn(call: Call, parameters: Parameters = call.req.query()): string {
  const [scheme, given] = (call.req.header("authorization") ?? "").split(" ");
  return parameters.access_token ?? (/^(bearer|oauth)$/i.test(scheme ?? "") ? (given ?? "") : "");
}

/** The owner of a token. `ownPage` is set for Page tokens. */
export type Bearer = UserSession & { ownPage?: string };

/**
 * The owner of a user or Page token.
 * @throws GraphError that tells why the token is invalid
 */
export function bearerOf(state: FacebookState, call: Call, token: string): Bearer {
  if (!token) throw errors.badToken();
  const live = state.grants.findToken(token, "short", "long", "page");
  if (!live) throw errors.invalidToken(463);
  call.get("entry").account = live.account;
  const death = state.revocations.get(live.grant);
  if (death) throw errors.invalidToken(death);
  return { ...live, ownPage: live.kind === "page" ? state.tokenPages.get(fingerprint(token)) : undefined };
}

function assertProof({ switches }: FacebookState, token: string, parameters: Parameters): void {
  const given = parameters.appsecret_proof;
  if (given === undefined && !switches.requiresProof) return;
  if (given === undefined) throw errors.noProof();
  const right = createHmac("sha256", CLIENT.secret).update(token).digest("hex");
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw errors.wrongProof(switches.proofCode);
}

/** Authenticates a call by a user token with the given scope. */
export function userOf(
  state: FacebookState,
  call: Call,
  parameters: Parameters,
  scope = "public_profile",
): UserSession {
  const token = tokenIn(call, parameters);
  const live = bearerOf(state, call, token);
  assertProof(state, token, parameters);
  if (live.ownPage) throw errors.noObject("me", "get");
  if (!live.scopes.includes(scope)) throw errors.noPermission(scope);
  return live;
}

/** Authenticates a call by the app's own token, which is its ID and its secret. */
export function assertApp(state: FacebookState, call: Call): void {
  const token = tokenIn(call);
  if (token !== `${CLIENT.id}|${CLIENT.secret}`) throw errors.badToken();
  assertProof(state, token, call.req.query());
}

/** Authenticates a call by the token of this Page. User tokens and tokens of other Pages are rejected. */
export function pageOf(
  state: FacebookState,
  call: Call,
  parameters: Parameters,
  pageId = call.req.param("id") ?? "",
): PageSession {
  const token = tokenIn(call, parameters);
  const live = bearerOf(state, call, token);
  assertProof(state, token, parameters);
  return pageSession(state, live, pageId);
}

export function pageSession(state: FacebookState, live: Bearer, pageId: string): PageSession {
  if (live.ownPage && state.lostPages.get(`${live.account}/${live.ownPage}`)) throw errors.invalidToken(492);
  if (live.ownPage !== pageId) throw errors.needsPageToken();
  const missing = ["pages_read_engagement", "pages_manage_posts"].find((one) => !live.scopes.includes(one));
  if (missing) throw errors.noPermission(missing);
  const page = reachablePagesOf(state, live.account, live.grant).find(({ id }) => id === pageId);
  if (!page?.tasks.includes("CREATE_CONTENT")) throw errors.noPermission("CREATE_CONTENT");
  return { ...live, page };
}

/** Authenticates a call by any user or Page token with its proof. */
export function viewerOf(state: FacebookState, call: Call, parameters: Parameters): Bearer {
  const token = tokenIn(call, parameters);
  const live = bearerOf(state, call, token);
  assertProof(state, token, parameters);
  return live;
}

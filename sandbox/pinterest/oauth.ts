import { handleConsent, isAllowedRedirectUri, messagePage } from "../core/consent";
import { type Answer, type Call, tokenForm } from "../core/network";
import type { Grant } from "../core/oauth";
import {
  countRead,
  countWrite,
  invalid,
  invalidGrantError,
  notActivated,
  notPermitted,
  PinterestError,
  unauthorized,
} from "./request";
import type { PinterestState } from "./state";

const CLIENT = { id: "sandbox-pinterest", secret: "sandbox-pinterest-secret" };
const CODE_SECONDS = 600;

const SCOPES: Record<string, string> = {
  "boards:read": "see your public boards",
  "boards:read_secret": "see your secret boards",
  "boards:write": "make and change boards",
  "boards:write_secret": "make and change secret boards",
  "pins:read": "see your public Pins",
  "pins:read_secret": "see your secret Pins",
  "pins:write": "make and change Pins",
  "pins:write_secret": "make and change Pins on secret boards",
  "user_accounts:read": "see your account",
};

/** `GET` and `POST /oauth/` of www.pinterest.com. Source: developers.pinterest.com, set up authentication. */
export async function authorize(state: PinterestState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(",").filter(Boolean);
  const problem = problemOf(query, scopes);
  if (problem) return errorPage(call, problem);
  const page = { network: "pinterest", name: "Pinterest", permissions: scopes.map((scope) => SCOPES[scope] ?? scope) };
  return handleConsent(state.world, call, {
    page,
    denied: state.switches.denialHasError ? { error: "access_denied" } : {},
    allow: (account) => ({
      code: state.codes.issue(
        { account, clientId: CLIENT.id, redirectUri: query.redirect_uri ?? "", scopes },
        CODE_SECONDS,
      ),
    }),
  });
}

function problemOf(query: Record<string, string>, scopes: string[]): string | undefined {
  if (query.client_id !== CLIENT.id) return "The application is not known.";
  if (query.response_type !== "code") return "The response type must be code.";
  if (!isAllowedRedirectUri(query.redirect_uri ?? "")) return "The redirect URI is not one of the application's.";
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (unknown !== undefined) return `The scope ${unknown} is not known.`;
  return scopes.length === 0 ? "No scope was asked for." : undefined;
}

function errorPage(call: Call, problem: string): Answer {
  return messagePage(call, "Pinterest", "Something went wrong", problem, 400);
}

const DAY = 86_400;
const ACCESS_SECONDS = 30 * DAY;
const REFRESH_SECONDS = 60 * DAY;

/** `POST /v5/oauth/token`: exchanges a code, or a refresh token of at most 60 days, for new tokens. */
export async function token(state: PinterestState, call: Call): Promise<Response> {
  assertClient(state, call);
  const form = await tokenForm(call);
  countRead(state, call, "oauth");
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(state, call, form);
    case "refresh_token":
      return refresh(state, call, form);
    default:
      throw invalid(`'${form.get("grant_type")}' is not one of ['authorization_code', 'refresh_token']`);
  }
}

/** `POST /v5/oauth/token/revoke`: always rejected, because only tokens of system users can be revoked. */
export async function revoke(state: PinterestState, call: Call): Promise<Response> {
  assertClient(state, call);
  countWrite(state, call, "oauth");
  throw notPermitted();
}

/** Requires HTTP Basic; credentials in the body are ignored. */
function assertClient(state: PinterestState, call: Call): void {
  if (state.switches.pending) throw notActivated();
  const [scheme, credentials] = (call.req.header("authorization") ?? "").split(" ");
  const given = Buffer.from(credentials ?? "", "base64").toString();
  if (scheme?.toLowerCase() !== "basic" || given !== `${CLIENT.id}:${CLIENT.secret}`) throw unauthorized();
}

function redeemCode(state: PinterestState, call: Call, form: URLSearchParams): Response {
  const facts = state.codes.redeem(form.get("code") ?? "");
  if (!facts || form.get("redirect_uri") !== facts.redirectUri) throw invalidGrantError();
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(
    state.world.transaction(() =>
      tokensOf(state, state.grants.create({ account, clientId, scopes }), "authorization_code"),
    ),
  );
}

/** Its status and code are not documented. */
function refusedRefresh({ switches }: PinterestState): PinterestError {
  const [status, code] = switches.refusedRefresh.split("/").map(Number);
  return new PinterestError(status === 400 ? 400 : 401, code ?? 1, "The authorization grant is invalid");
}

/** Replaces both tokens; the old ones are revoked at once. */
function refresh(state: PinterestState, call: Call, form: URLSearchParams): Response {
  const live = state.grants.findToken(form.get("refresh_token") ?? "", "refresh");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw refusedRefresh(state);
  call.get("entry").account = grant.account;
  return call.json(
    state.world.transaction(() => {
      if (!state.switches.usedRefreshWorks) state.grants.revokeTokens(grant.id);
      return tokensOf(state, grant, "refresh_token");
    }),
  );
}

function tokensOf(state: PinterestState, grant: Grant, responseType: string) {
  return {
    access_token: state.grants.issue(grant, "access", ACCESS_SECONDS),
    refresh_token: state.grants.issue(grant, "refresh", REFRESH_SECONDS),
    response_type: responseType,
    token_type: "bearer",
    expires_in: ACCESS_SECONDS,
    refresh_token_expires_in: REFRESH_SECONDS,
    refresh_token_expires_at: Math.floor(state.world.clock.now() / 1000) + REFRESH_SECONDS,
    scope: grant.scopes.join(state.switches.scopeSeparator),
  };
}

import type { Grant } from "../core/grants";
import type { Call } from "../core/network";
import { tokenForm } from "../core/token-form";
import { CLIENT } from "./authorize";
import { deadGrant, invalid, notActivated, notPermitted, unauthorized } from "./errors";
import { countRead, countWrite } from "./rates";
import type { PinterestState } from "./state";

const DAY = 86_400;
const ACCESS_SECONDS = 30 * DAY;
const REFRESH_SECONDS = 60 * DAY;

/** `POST /v5/oauth/token`: the code, or a refresh token of at most 60 days, for a new pair. */
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

/** `POST /v5/oauth/token/revoke`: only tokens of system users can be revoked, and people are none. */
export async function revoke(state: PinterestState, call: Call): Promise<Response> {
  assertClient(state, call);
  countWrite(state, call, "oauth");
  throw notPermitted();
}

/** HTTP Basic and nothing else; credentials in the body do not count. */
function assertClient(state: PinterestState, call: Call): void {
  if (state.switches.pending) throw notActivated();
  const [scheme, credentials] = (call.req.header("authorization") ?? "").split(" ");
  const given = Buffer.from(credentials ?? "", "base64").toString();
  if (scheme?.toLowerCase() !== "basic" || given !== `${CLIENT.id}:${CLIENT.secret}`) throw unauthorized();
}

function redeemCode(state: PinterestState, call: Call, form: URLSearchParams): Response {
  const facts = state.codes.redeem(form.get("code") ?? "");
  if (!facts || form.get("redirect_uri") !== facts.redirectUri) throw deadGrant();
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  return call.json(
    state.world.together(() => tokensOf(state, state.grants.open({ account, clientId, scopes }), "authorization_code")),
  );
}

/** The presented pair is spent at once. */
function refresh(state: PinterestState, call: Call, form: URLSearchParams): Response {
  const live = state.grants.look(form.get("refresh_token") ?? "", "refresh");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw deadGrant();
  call.get("entry").account = grant.account;
  return call.json(
    state.world.together(() => {
      state.grants.endTokens(grant.id);
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
    scope: grant.scopes.join(" "),
  };
}

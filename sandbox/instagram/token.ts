import type { Call } from "../core/network";
import { parametersOf } from "../meta/parameters";
import { CLIENT } from "./authorize";
import { deadCode, FlatRefusal, refusals } from "./errors";
import { tokenIn } from "./session";
import { appScopedId, type InstagramState } from "./state";

const SHORT_SECONDS = 3600;
const LONG_SECONDS = 60 * 86_400;
const YOUNGEST_REFRESH_SECONDS = 86_400;

/** `POST /oauth/access_token` of api.instagram.com: the code for a token of one hour. */
export async function redeemCode(state: InstagramState, call: Call): Promise<Response> {
  const form = await parametersOf(call);
  if (form.client_id !== CLIENT.id) throw new FlatRefusal("Invalid Client ID");
  if (form.client_secret !== CLIENT.secret) throw new FlatRefusal("Error validating client secret.");
  if (form.grant_type !== "authorization_code") throw new FlatRefusal("Invalid grant_type");
  const facts = state.codes.redeem(form.code ?? "");
  if (!facts) throw deadCode();
  if (form.redirect_uri !== facts.redirectUri) {
    throw new FlatRefusal(
      "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request",
    );
  }
  call.get("entry").account = facts.account;
  const { account, clientId, scopes } = facts;
  const token = state.world.together(() =>
    state.grants.issue(state.grants.open({ account, clientId, scopes }), "short", SHORT_SECONDS),
  );
  // `user_id` is a JSON number above 2^53 in the real answer, so the text is put together by hand.
  const body = `{"access_token":${JSON.stringify(token)},"user_id":${appScopedId(account)},"permissions":${JSON.stringify(scopes)}}`;
  return call.body(body, 200, { "content-type": "application/json" });
}

/** `GET /access_token`: a short-lived token that is still alive for one of 60 days. */
export function exchange(state: InstagramState, call: Call): Response {
  if (call.req.query("grant_type") !== "ig_exchange_token") throw refusals.parameter("Invalid grant_type");
  if (call.req.query("client_secret") !== CLIENT.secret) throw refusals.parameter("Error validating client secret.");
  return longLived(state, call, "short");
}

/** `GET /refresh_access_token`: at least 24 hours old, not expired, basic permission still granted. */
export function refresh(state: InstagramState, call: Call): Response {
  if (call.req.query("grant_type") !== "ig_refresh_token") throw refusals.parameter("Invalid grant_type");
  const live = state.grants.look(tokenIn(call), "long");
  if (live && live.issuedAt > state.world.clock.now() - YOUNGEST_REFRESH_SECONDS * 1000) {
    throw refusals.parameter("The access token must be at least 24 hours old to be refreshed.");
  }
  return longLived(state, call, "long");
}

function longLived(state: InstagramState, call: Call, kind: "short" | "long"): Response {
  const live = state.grants.look(tokenIn(call), kind);
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw refusals.deadToken(463);
  if (!grant.scopes.includes("instagram_business_basic")) throw refusals.noPermission("instagram_business_basic");
  call.get("entry").account = grant.account;
  const token = state.world.together(() => state.grants.issue(grant, "long", LONG_SECONDS));
  return call.json({
    access_token: token,
    token_type: "bearer",
    expires_in: LONG_SECONDS,
    permissions: grant.scopes.join(","),
  });
}

import { createHash } from "node:crypto";
import type { Grant } from "../core/grants";
import { fingerprint } from "../core/ids";
import type { Call, Operation } from "../core/network";
import { tokenForm } from "../core/token-form";
import { authenticated, type ClientFacts } from "./client";
import { isHandshake, provenKey } from "./dpop";
import { OAuthRefusal } from "./errors";
import { didOf, originsOf } from "./identity";
import type { BlueskyState } from "./state";

const ACCESS_SECONDS = 3599;
const DAY = 86_400;

/** Which of the two operations a call of the token endpoint is; the first one only learns the nonce. */
export async function tokenOperation(state: BlueskyState, call: Call): Promise<Operation> {
  if (isHandshake(state, "authorization", call)) return "other";
  return (await tokenForm(call)).get("grant_type") === "refresh_token" ? "refresh" : "token";
}

/** `POST /oauth/token`; source: atproto.com/specs/oauth. */
export async function token(state: BlueskyState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  const jkt = await provenKey(state, "authorization", call);
  const client = await authenticated(form, originsOf(call).entrance);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeem(state, call, form, client, jkt);
    case "refresh_token":
      return refresh(state, call, form, client, jkt);
    default:
      throw new OAuthRefusal("unsupported_grant_type", "Unsupported grant type");
  }
}

/** `POST /oauth/revoke` (RFC 7009): an unknown token is as good as revoked. */
export async function revoke(state: BlueskyState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  await authenticated(form, originsOf(call).entrance);
  const presented = form.get("token") ?? "";
  const live = state.grants.look(presented, "access", "refresh");
  const grant = live?.grant ?? state.spent.get(fingerprint(presented));
  if (grant) state.grants.endTokens(grant);
  return call.json({});
}

function redeem(state: BlueskyState, call: Call, form: URLSearchParams, client: ClientFacts, jkt: string): Response {
  const key = fingerprint(form.get("code") ?? "");
  const facts = state.codes.get(key);
  state.codes.delete(key);
  const invalid = (message: string) => new OAuthRefusal("invalid_grant", message);
  if (!facts || facts.expiresAt <= state.world.clock.now()) throw invalid("Invalid code");
  if (facts.clientId !== client.id) throw invalid("This code was issued to another client");
  if (facts.redirectUri !== form.get("redirect_uri")) throw invalid("The redirect_uri parameter must match");
  const verifier = form.get("code_verifier") ?? "";
  if (createHash("sha256").update(verifier).digest("base64url") !== facts.challenge)
    throw invalid("Invalid code_verifier");
  if (facts.jkt !== jkt) throw invalid("The DPoP proof does not match the expected JKT");
  call.get("entry").account = facts.account;
  return call.json(
    state.world.together(() => {
      const { account, clientId, scopes } = facts;
      const grant = state.grants.open({ account, clientId, scopes });
      state.bindings.put(grant.id, { jkt, clientId });
      return answerOf(state, grant, client);
    }),
  );
}

/** Single use: a token that comes back ends the whole session, the newest tokens included. */
function refresh(state: BlueskyState, call: Call, form: URLSearchParams, client: ClientFacts, jkt: string): Response {
  const presented = form.get("refresh_token") ?? "";
  const replayed = state.spent.get(fingerprint(presented));
  if (replayed) {
    state.grants.endTokens(replayed);
    throw new OAuthRefusal("invalid_grant", "Refresh token replayed");
  }
  const live = state.grants.look(presented, "refresh");
  const grant = live && state.grants.find(live.grant);
  const binding = grant && state.bindings.get(grant.id);
  if (!grant || binding?.clientId !== client.id) throw new OAuthRefusal("invalid_grant", "Invalid refresh token");
  if (binding.jkt !== jkt) throw new OAuthRefusal("invalid_grant", "The DPoP proof does not match the expected JKT");
  call.get("entry").account = grant.account;
  return call.json(
    state.world.together(() => {
      state.grants.endTokens(grant.id);
      state.spent.put(fingerprint(presented), grant.id);
      return answerOf(state, grant, client);
    }),
  );
}

/** Two weeks for a public application, three months for one that proves itself. */
function answerOf(state: BlueskyState, grant: Grant, client: ClientFacts) {
  return {
    access_token: state.grants.issue(grant, "access", ACCESS_SECONDS),
    token_type: "DPoP",
    refresh_token: state.grants.issue(grant, "refresh", (client.keys ? 90 : 14) * DAY),
    scope: grant.scopes.join(" "),
    expires_in: ACCESS_SECONDS,
    sub: didOf(grant.account),
  };
}

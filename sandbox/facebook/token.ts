import type { Call } from "../core/network";
import { parametersOf } from "../meta/parameters";
import { CLIENT } from "./authorize";
import { refusals } from "./errors";
import type { FacebookState } from "./state";

const SHORT_SECONDS = 5400;
const LONG_SECONDS = 5_183_944;

/** `GET` (and `POST`) `/{version}/oauth/access_token`: a code, or a token that still lives, for a token. */
export async function giveToken(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  if (p.client_id !== CLIENT.id) throw refusals.wrongApplication();
  if (p.client_secret !== CLIENT.secret) throw refusals.wrongSecret();
  return p.grant_type === "fb_exchange_token" ? exchange(state, call, p) : redeem(state, call, p);
}

function redeem(state: FacebookState, call: Call, p: Record<string, string>): Response {
  const facts = state.codes.redeem(p.code ?? "");
  // What was declined is kept with a code until it is used.
  if (!facts) throw state.declined.get(p.code ?? "") ? refusals.expiredCode() : refusals.usedCode();
  if (p.redirect_uri !== facts.redirectUri) throw refusals.otherAddress();
  const { account, clientId, scopes } = facts;
  call.get("entry").account = account;
  const token = state.world.together(() => {
    const grant = state.grants.open({ account, clientId, scopes });
    state.declined.put(grant.id, state.declined.get(p.code ?? "") ?? []);
    state.declined.delete(p.code ?? "");
    return state.grants.issue(grant, "short", SHORT_SECONDS);
  });
  return call.json({ access_token: token, token_type: "bearer", expires_in: SHORT_SECONDS });
}

function exchange(state: FacebookState, call: Call, p: Record<string, string>): Response {
  const live = state.grants.look(p.fb_exchange_token ?? "", "short", "long");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw refusals.dead(463);
  call.get("entry").account = grant.account;
  const death = state.deaths.get(grant.id);
  if (death) throw refusals.dead(death);
  const token = state.world.together(() => state.grants.issue(grant, "long", LONG_SECONDS));
  return call.json({ access_token: token, token_type: "bearer", expires_in: LONG_SECONDS });
}

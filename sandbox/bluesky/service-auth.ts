import { fingerprint, randomToken } from "../core/ids";
import type { Call } from "../core/network";
import { accessOf, credentialOf } from "./access";
import { authRequired, invalidRequest } from "./errors";
import { assertAtHome } from "./identity";
import { assertRpc } from "./scopes";
import type { BlueskyState, ServiceToken } from "./state";

const HOUR = 3600;

/** `com.atproto.server.getServiceAuth`: a token with which one service may ask one thing of another. */
export async function getServiceAuth(state: BlueskyState, call: Call): Promise<Response> {
  const access = await accessOf(state, call);
  assertAtHome(call, access.did);
  const { aud = "", lxm, exp } = call.req.query();
  if (!/^did:[a-z]+:[\w.:%#-]+$/.test(aud)) throw invalidRequest("Error: aud must be a valid did");
  if (access.scopes) assertRpc(access.scopes, lxm ?? "*", aud);
  const seconds = exp === undefined ? 60 : Number(exp) - Date.now() / 1000; // by the caller's clock
  if (!(seconds > 0)) throw invalidRequest("expiration is in past", "BadExpiration");
  if (seconds > HOUR)
    throw invalidRequest("cannot request a token with an expiration more than an hour in the future", "BadExpiration");
  if (!lxm && seconds > 60)
    throw invalidRequest(
      "cannot request a method-less token with an expiration more than a minute in the future",
      "BadExpiration",
    );
  const token = `svc.${randomToken(24)}`;
  const expiresAt = state.world.clock.now() + seconds * 1000;
  state.serviceTokens.put(fingerprint(token), { did: access.did, aud, lxm, expiresAt });
  return call.json({ token });
}

/** Whose token a service was given, if it is one for this service and this purpose. */
export function serviceCaller(state: BlueskyState, call: Call, aud: string, lxm: string): ServiceToken {
  const { scheme, token } = credentialOf(call);
  const known = scheme === "bearer" ? state.serviceTokens.get(fingerprint(token)) : undefined;
  if (!known) throw authRequired("jwt is missing or could not be verified", "BadJwt");
  if (known.expiresAt <= state.world.clock.now()) throw authRequired("jwt expired", "JwtExpired");
  if (known.aud !== aud) throw authRequired("jwt audience does not match service did", "BadJwtAudience");
  if (known.lxm !== lxm)
    throw authRequired(`bad jwt lexicon method ("lxm"). must match: ${lxm}`, "BadJwtLexiconMethod");
  return known;
}

import { consentForm, notice, readDecision, withParameters } from "../core/consent";
import { fingerprint, randomToken } from "../core/ids";
import type { Call } from "../core/network";
import { tokenForm } from "../core/token-form";
import { authenticated, isRedirectOf } from "./client";
import { provenKey } from "./dpop";
import { OAuthRefusal } from "./errors";
import { didOf, handleOf, originsOf } from "./identity";
import { asksOf, isKnownScope } from "./scopes";
import type { BlueskyState } from "./state";

const REQUEST_SECONDS = 300;
const CODE_SECONDS = 60;

/** The data server's description: who signs its people in (RFC 9728). */
export function protectedResource(call: Call): Response {
  const { entrance, server, isServer } = originsOf(call);
  return call.json({ resource: isServer ? server : entrance, authorization_servers: [entrance] });
}

/** RFC 8414. */
export function serverDescription(call: Call): Response {
  const { entrance, isServer } = originsOf(call);
  if (isServer) return call.json({ error: "NotFound", message: "Not Found" }, 404);
  const at = (path: string) => `${entrance}/bluesky/oauth/${path}`;
  return call.json({
    issuer: entrance,
    authorization_endpoint: at("authorize"),
    token_endpoint: at("token"),
    pushed_authorization_request_endpoint: at("par"),
    revocation_endpoint: at("revoke"),
    require_pushed_authorization_requests: true,
    scopes_supported: ["atproto", "transition:email", "transition:generic", "transition:chat.bsky"],
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["ES256"],
    dpop_signing_alg_values_supported: ["ES256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
}

/** `POST /oauth/par` (RFC 9126). */
export async function push(state: BlueskyState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  const jkt = await provenKey(state, "authorization", call);
  const client = await authenticated(form, originsOf(call).entrance);
  const scopes = (form.get("scope") ?? "").split(" ").filter(Boolean);
  const invalid = (message: string) => new OAuthRefusal("invalid_request", message);
  if (form.get("response_type") !== "code") throw invalid("Unsupported response_type");
  if (form.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(form.get("code_challenge") ?? ""))
    throw invalid("PKCE with S256 is required");
  if (!isRedirectOf(client, form.get("redirect_uri") ?? "")) throw invalid("Invalid redirect_uri");
  if (!scopes.includes("atproto") || scopes.some((scope) => !client.scopes.includes(scope) || !isKnownScope(scope)))
    throw new OAuthRefusal("invalid_scope", "Scope is not declared in the client metadata");
  const id = randomToken(16);
  state.pushed.put(fingerprint(id), {
    client,
    redirectUri: form.get("redirect_uri") ?? "",
    scopes,
    state: form.get("state") ?? "",
    challenge: form.get("code_challenge") ?? "",
    loginHint: form.get("login_hint") ?? undefined,
    jkt,
    expiresAt: state.world.clock.now() + REQUEST_SECONDS * 1000,
  });
  const request_uri = `urn:ietf:params:oauth:request_uri:req-${id}`;
  return call.json({ request_uri, expires_in: REQUEST_SECONDS - 1 }, 201);
}

/** `GET` and `POST /oauth/authorize`: nothing but a pushed request, each for one decision. */
export async function authorize(state: BlueskyState, call: Call): Promise<Response> {
  const { client_id, request_uri = "" } = call.req.query();
  const key = fingerprint(request_uri.replace("urn:ietf:params:oauth:request_uri:req-", ""));
  const request = state.pushed.get(key);
  if (!request || request.client.id !== client_id || request.expiresAt <= state.world.clock.now())
    return notice(call, "Bluesky", "An error occurred", "This request has expired. Go back and try again.", 400);
  const asks = [...asksOf(request.scopes), ...(request.loginHint ? [`be used as ${request.loginHint}`] : [])];
  const page = { network: "bluesky", name: "Bluesky", asks };
  if (call.req.method === "GET") return consentForm(call, page);
  const decision = await readDecision(state.world, "bluesky", call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });

  state.pushed.delete(key);
  const back = { iss: originsOf(call).entrance, state: request.state };
  if (decision.decision === "deny") {
    const refusal = { ...back, error: "access_denied", error_description: "The user rejected the request" };
    return call.body(null, 302, { location: withParameters(request.redirectUri, refusal) });
  }
  const { name } = decision.person;
  call.get("entry").account = name;
  if (request.loginHint && ![handleOf(name), didOf(name)].includes(request.loginHint))
    return consentForm(call, { ...page, problem: `Sign in as ${request.loginHint}.` });
  const code = `cod-${randomToken(32)}`;
  state.codes.put(fingerprint(code), {
    account: name,
    clientId: request.client.id,
    redirectUri: request.redirectUri,
    scopes: request.scopes,
    challenge: request.challenge,
    jkt: request.jkt,
    expiresAt: state.world.clock.now() + CODE_SECONDS * 1000,
  });
  return call.body(null, 302, { location: withParameters(request.redirectUri, { ...back, code }) });
}

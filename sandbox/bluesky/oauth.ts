import { createHash } from "node:crypto";
import { addQuery, consentForm, messagePage, readDecision } from "../core/consent";
import { fingerprint, randomToken } from "../core/ids";
import { type Call, hasFault, type Operation, tokenForm } from "../core/network";
import type { Grant } from "../core/oauth";
import { isKnownScope, permissionsOf } from "./access";
import { authenticateClient, isRedirectOf, type OAuthClient } from "./client";
import { isNonceRequest, verifyProof } from "./dpop";
import { OAuthError } from "./errors";
import { didOf, handleOf, originsOf } from "./identity";
import type { BlueskyState } from "./state";

const REQUEST_SECONDS = 300;
const CODE_SECONDS = 60;

/** Protected resource metadata: names the authorization server of the data server (RFC 9728). */
export function protectedResource(call: Call): Response {
  const { entryway, server, isServer } = originsOf(call);
  return call.json({ resource: isServer ? server : entryway, authorization_servers: [entryway] });
}

/** Authorization server metadata (RFC 8414). */
export function serverDescription(call: Call): Response {
  const { entryway, isServer } = originsOf(call);
  if (isServer) return call.json({ error: "NotFound", message: "Not Found" }, 404);
  const at = (path: string) => `${entryway}/bluesky/oauth/${path}`;
  return call.json({
    issuer: entryway,
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
  const jkt = await verifyProof(state, "authorization", call);
  const client = await authenticateClient(form, originsOf(call).entryway);
  // The reference server of 2024 (npm: @atproto/pds 0.4.73) refuses a client that declares a scope that it does not know.
  const unknown = client.scopes.find((scope) => !/^(atproto$|transition:)/.test(scope));
  if (hasFault(call, "no_granular_scopes") && unknown !== undefined)
    throw new OAuthError("invalid_client_metadata", `Unsupported scope "${unknown}"`);
  const scopes = (form.get("scope") ?? "").split(" ").filter(Boolean);
  const invalid = (message: string) => new OAuthError("invalid_request", message);
  if (form.get("response_type") !== "code") throw invalid("Unsupported response_type");
  if (form.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(form.get("code_challenge") ?? ""))
    throw invalid("PKCE with S256 is required");
  if (!isRedirectOf(client, form.get("redirect_uri") ?? "")) throw invalid("Invalid redirect_uri");
  if (!scopes.includes("atproto") || scopes.some((scope) => !client.scopes.includes(scope) || !isKnownScope(scope)))
    throw new OAuthError("invalid_scope", "Scope is not declared in the client metadata");
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

/** `GET` and `POST /oauth/authorize`: accepts only pushed requests, each for one decision. */
export async function authorize(state: BlueskyState, call: Call): Promise<Response> {
  const { client_id, request_uri = "" } = call.req.query();
  const key = fingerprint(request_uri.replace("urn:ietf:params:oauth:request_uri:req-", ""));
  const request = state.pushed.get(key);
  if (!request || request.client.id !== client_id || request.expiresAt <= state.world.clock.now())
    return messagePage(call, "Bluesky", "An error occurred", "This request has expired. Go back and try again.", 400);
  const asks = [...permissionsOf(request.scopes), ...(request.loginHint ? [`be used as ${request.loginHint}`] : [])];
  const page = { network: "bluesky", name: "Bluesky", permissions: asks };
  if (call.req.method === "GET") return consentForm(call, page);
  const decision = await readDecision(state.world, "bluesky", call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });

  state.pushed.delete(key);
  const back = { iss: originsOf(call).entryway, state: request.state };
  if (decision.decision === "deny") {
    const refusal = { ...back, error: "access_denied", error_description: "The user rejected the request" };
    return call.body(null, 302, { location: addQuery(request.redirectUri, refusal) });
  }
  const { name } = decision.person;
  call.get("entry").account = name;
  if (request.loginHint && ![handleOf(state, name), didOf(name)].includes(request.loginHint))
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
  return call.body(null, 302, { location: addQuery(request.redirectUri, { ...back, code }) });
}

const ACCESS_SECONDS = 3599;
const DAY = 86_400;

/** The operation of a token call. A first call that only fetches the DPoP nonce counts as `other`. */
export async function tokenOperation(state: BlueskyState, call: Call): Promise<Operation> {
  if (isNonceRequest(state, "authorization", call)) return "other";
  return (await tokenForm(call)).get("grant_type") === "refresh_token" ? "refresh" : "token";
}

/** `POST /oauth/token`; source: atproto.com/specs/oauth. */
export async function token(state: BlueskyState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  const jkt = await verifyProof(state, "authorization", call);
  const client = await authenticateClient(form, originsOf(call).entryway);
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeem(state, call, form, client, jkt);
    case "refresh_token":
      return refresh(state, call, form, client, jkt);
    default:
      throw new OAuthError("unsupported_grant_type", "Unsupported grant type");
  }
}

/** `POST /oauth/revoke` (RFC 7009): succeeds for unknown tokens too. */
export async function revoke(state: BlueskyState, call: Call): Promise<Response> {
  const form = await tokenForm(call);
  await authenticateClient(form, originsOf(call).entryway);
  const presented = form.get("token") ?? "";
  const live = state.grants.findToken(presented, "access", "refresh");
  const grant = live?.grant ?? state.spent.get(fingerprint(presented));
  if (grant) state.grants.revokeTokens(grant);
  return call.json({});
}

function redeem(state: BlueskyState, call: Call, form: URLSearchParams, client: OAuthClient, jkt: string): Response {
  const key = fingerprint(form.get("code") ?? "");
  const facts = state.codes.get(key);
  state.codes.delete(key);
  const invalid = (message: string) => new OAuthError("invalid_grant", message);
  if (!facts || facts.expiresAt <= state.world.clock.now()) throw invalid("Invalid code");
  if (facts.clientId !== client.id) throw invalid("This code was issued to another client");
  if (facts.redirectUri !== form.get("redirect_uri")) throw invalid("The redirect_uri parameter must match");
  const verifier = form.get("code_verifier") ?? "";
  if (createHash("sha256").update(verifier).digest("base64url") !== facts.challenge)
    throw invalid("Invalid code_verifier");
  if (facts.jkt !== jkt) throw invalid("The DPoP proof does not match the expected JKT");
  call.get("entry").account = facts.account;
  return call.json(
    state.world.transaction(() => {
      const { account, clientId, scopes } = facts;
      const grant = state.grants.create({ account, clientId, scopes });
      state.bindings.put(grant.id, { jkt, clientId });
      return tokenResponse(state, grant, client);
    }),
  );
}

/** Refresh tokens are single-use: reuse revokes the whole session, including its newest tokens. */
function refresh(state: BlueskyState, call: Call, form: URLSearchParams, client: OAuthClient, jkt: string): Response {
  const presented = form.get("refresh_token") ?? "";
  const replayed = state.spent.get(fingerprint(presented));
  if (replayed) {
    state.grants.revokeTokens(replayed);
    throw new OAuthError("invalid_grant", "Refresh token replayed");
  }
  const live = state.grants.findToken(presented, "refresh");
  const grant = live && state.grants.find(live.grant);
  const binding = grant && state.bindings.get(grant.id);
  if (!grant || binding?.clientId !== client.id) throw new OAuthError("invalid_grant", "Invalid refresh token");
  if (binding.jkt !== jkt) throw new OAuthError("invalid_grant", "The DPoP proof does not match the expected JKT");
  call.get("entry").account = grant.account;
  return call.json(
    state.world.transaction(() => {
      state.grants.revokeTokens(grant.id);
      state.spent.put(fingerprint(presented), grant.id);
      return tokenResponse(state, grant, client);
    }),
  );
}

/** The refresh token lasts two weeks for a public client and three months for a confidential one. */
function tokenResponse(state: BlueskyState, grant: Grant, client: OAuthClient) {
  return {
    access_token: state.grants.issue(grant, "access", ACCESS_SECONDS),
    token_type: "DPoP",
    refresh_token: state.grants.issue(grant, "refresh", (client.keys ? 90 : 14) * DAY),
    scope: grant.scopes.join(" "),
    expires_in: ACCESS_SECONDS,
    sub: didOf(grant.account),
  };
}

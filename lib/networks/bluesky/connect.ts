import { z } from "zod";
import { PlatformError } from "../errors";
import type { App, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { expiryAfter, form, query } from "../wire/query";
import {
  type AuthorizationServer,
  authorizationServerOf,
  type Identity,
  identityOf,
  normalizeHandle,
  readAuthorizationServer,
  resolveIdentity,
} from "./identity";
import {
  BROAD_SCOPE,
  BROAD_SCOPES,
  clientDocuments,
  clientFields,
  clientIdFor,
  newProofKey,
  proofFor,
  REPO_SCOPE,
  SCOPES,
  withNonce,
} from "./oauth-client";
import { signIn } from "./password";

const pushedSchema = z.object({ request_uri: z.string().min(1) });
const tokenSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^dpop$/i),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string(),
  sub: z.string(),
});

/**
 * OAuth for AT Protocol (atproto.com/specs/oauth): the request is pushed to the server first, every token is bound to a key of
 * its session, and the account's server is resolved from its handle. Without a handle, Bluesky's entryway asks for it.
 */
export const connect: OAuthConnect = {
  kind: "oauth",
  hasPkce: true,
  requiredScopes: ["atproto", REPO_SCOPE],
  scopePurposes: { atproto: "profile", [REPO_SCOPE]: "publish" },
  loopbackAddress: "127.0.0.1",
  clientDocuments,
  account: {
    label: "Bluesky handle",
    hint: "For example alice.bsky.social or your own domain.",
    async find(app, typed) {
      const { did, handle } = await resolveIdentity(app, normalizeHandle(typed));
      return handle || did;
    },
  },
  password: {
    label: "App password",
    hint: "Create one in Bluesky under Settings, Privacy and security, App passwords. Never enter your main password.",
    signIn,
  },
  async begin(app, { state, redirectUri, challenge, account }) {
    const whose = account ? await resolveIdentity(app, normalizeHandle(account)) : undefined;
    const server = await authorizationServerOf(app, whose?.pds ?? app.url("", "entrance"));
    const key = await newProofKey();
    const request = {
      response_type: "code",
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...(whose ? { login_hint: loginHint(whose, account) } : {}),
    };
    const address = server.pushed_authorization_request_endpoint;
    const push = async (scopes: string[]) => {
      const clientId = clientIdFor(app, redirectUri, scopes);
      const answer = await post(app, { server, address, clientId, key }, { ...request, scope: scopes.join(" ") });
      return { clientId, ...(await readAnswer("Bluesky", pushedSchema, answer)) };
    };
    const { clientId, request_uri } = await push(SCOPES).catch((error: unknown) => {
      if (!isScopeUnknown(error)) throw error;
      return push(BROAD_SCOPES);
    });
    const parameters = query({ client_id: clientId, request_uri });
    return {
      url: `${server.authorization_endpoint}?${parameters}`,
      keep: { issuer: server.issuer, key, clientId, ...(whose ? { did: whose.did } : {}) },
    };
  },
  async exchange(app, { code, redirectUri, verifier, keep, issuer }) {
    const { issuer: expected = "", key = "", clientId = "", did } = keep;
    if (issuer !== expected)
      throw new PlatformError("rejected", "The sign-in was answered by a different server than expected");
    const server = await readAuthorizationServer(app, expected);
    const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
    const tokens = await token(app, server, { key, clientId }, fields);
    return assertOwnServer(app, server, tokens, did);
  },
};

/**
 * Older servers know only the broad scopes (atproto.com/specs/oauth, "Transitional scopes"). The reference server of 2024 refuses
 * the client for declaring another scope, with this code and `Unsupported scope "…"`.
 */
function isScopeUnknown(error: unknown): boolean {
  const { code, message = "" } = (error instanceof PlatformError && error.answer) || {};
  return code === "invalid_scope" || (code === "invalid_client_metadata" && /\bscope\b/i.test(message));
}

/** Returns the granted scopes; the broad one includes those that we need. */
function scopesIn(granted: string): string[] {
  const scopes = granted.split(" ").filter(Boolean);
  return scopes.includes(BROAD_SCOPE) ? [...new Set([...scopes, ...SCOPES])] : scopes;
}

/** If the user typed a DID, the hint is the DID: the handle in its document was not given by the user. */
function loginHint({ did, handle }: Identity, account = ""): string {
  return normalizeHandle(account) === did ? did : handle;
}

/** Uses the refresh token, which is single-use: if presented twice, the server ends the whole session. */
export async function refreshOAuth(app: App, tokens: Tokens): Promise<Tokens> {
  const { issuer = "", key = "", clientId = "", did } = tokens.extra ?? {};
  if (!tokens.refreshToken)
    throw new PlatformError("reconnect", "This Bluesky permission cannot be refreshed. Reconnect the account");
  const server = await readAuthorizationServer(app, issuer);
  const fields = { grant_type: "refresh_token", refresh_token: tokens.refreshToken };
  const fresh = await token(app, server, { key, clientId }, fields);
  // No further calls here: if one failed, the new token pair would be lost.
  if (fresh.extra.did !== did)
    throw new PlatformError("reconnect", "Bluesky answered with the permission of another account");
  return { ...fresh, extra: { ...tokens.extra } };
}

/** Revokes the session's token (RFC 7009). */
export async function revokeOAuth(app: App, tokens: Tokens): Promise<void> {
  const { issuer = "", key = "", clientId = "" } = tokens.extra ?? {};
  const server = await readAuthorizationServer(app, issuer);
  const address = server.revocation_endpoint;
  if (!address) return;
  await post(app, { server, address, clientId, key }, { token: tokens.refreshToken ?? tokens.accessToken });
}

type Client = { key: string; clientId: string };

type OAuthTokens = Tokens & { extra: { did: string } };

async function token(
  app: App,
  server: AuthorizationServer,
  { key, clientId }: Client,
  fields: { [name: string]: string | undefined },
): Promise<OAuthTokens> {
  const answer = await post(app, { server, address: server.token_endpoint, clientId, key }, fields);
  const { access_token, refresh_token, expires_in, scope, sub } = await readAnswer("Bluesky", tokenSchema, answer);
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: expiryAfter(expires_in),
    scopes: scopesIn(scope),
    extra: { did: sub, issuer: server.issuer, key, clientId },
  };
}

/** Accepts a token's account only from the authorization server of that account. */
async function assertOwnServer(app: App, server: AuthorizationServer, tokens: OAuthTokens, asked: string | undefined) {
  const { did } = tokens.extra;
  if (asked && did !== asked)
    throw new PlatformError("rejected", "The sign-in was for another Bluesky account than the one you named");
  const { pds } = await identityOf(app, did);
  const own = await authorizationServerOf(app, pds);
  if (own.issuer !== server.issuer)
    throw new PlatformError(
      "rejected",
      "The server that signed in this Bluesky account is not the account's own server",
    );
  return { ...tokens, extra: { ...tokens.extra, pds } };
}

type Endpoint = Client & { server: AuthorizationServer; address: string };

function post(app: App, { server, address, clientId, key }: Endpoint, fields: { [name: string]: string | undefined }) {
  return withNonce(async () => {
    const call = form({ ...fields, ...(await clientFields(app, clientId, server.issuer)) });
    const dpop = await proofFor(key, { method: "POST", url: address });
    return app.fetch(address, { ...call, headers: { ...call.headers, dpop } });
  });
}

import { env } from "../env";
import { publicKeys } from "./keys";
import { applicationScopes, formatScopes, scopes } from "./scopes";

/** The authorization server's metadata (RFC 8414). */
function authorizationServer() {
  const authentication = ["client_secret_basic", "client_secret_post", "none"];
  return {
    issuer: env.authUrl,
    authorization_endpoint: `${env.authUrl}/authorize`,
    token_endpoint: `${env.authUrl}/oauth/token`,
    revocation_endpoint: `${env.authUrl}/oauth/revoke`,
    jwks_uri: `${env.authUrl}/.well-known/jwks.json`,
    scopes_supported: applicationScopes.map((scope) => formatScopes([scope])),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "client_credentials", "refresh_token"],
    token_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Where to get a token for the API (RFC 9728). Every 401 contains the address of this document. */
function protectedResource() {
  return {
    resource: env.baseUrl,
    authorization_servers: [env.authUrl],
    scopes_supported: scopes.map((scope) => formatScopes([scope])),
    bearer_methods_supported: ["header"],
    resource_name: "Carillon",
  };
}

/** The same for `/mcp`, so that agents ask for its scope and no other. Its tokens are those of the API. */
function mcpResource() {
  return {
    ...protectedResource(),
    resource: `${env.baseUrl}/mcp`,
    scopes_supported: [formatScopes(["posts.propose"])],
  };
}

/** Public documents, by path. */
export const wellKnown: { [path: string]: () => object | Promise<object> } = {
  "/.well-known/oauth-authorization-server": authorizationServer,
  "/.well-known/oauth-protected-resource": protectedResource,
  "/.well-known/oauth-protected-resource/mcp": mcpResource,
  "/.well-known/jwks.json": async () => ({ keys: await publicKeys() }),
};

/** The challenge of a 401 (RFC 6750, section 3; RFC 9728, section 5.1). */
export function bearerChallenge(tokenWasSent: boolean): string {
  return challenge(tokenWasSent ? 'error="invalid_token", ' : "", "");
}

/** The challenge of `/mcp`, which names the scope that the agent needs. */
export function mcpChallenge(error?: "invalid_token" | "insufficient_scope"): string {
  const scope = `scope="${formatScopes(["posts.propose"])}", `;
  return challenge(`${error ? `error="${error}", ` : ""}${scope}`, "/mcp");
}

function challenge(parameters: string, path: string): string {
  const metadata = `${env.baseUrl}/.well-known/oauth-protected-resource${path}`;
  return `Bearer realm="carillon", ${parameters}resource_metadata="${metadata}"`;
}

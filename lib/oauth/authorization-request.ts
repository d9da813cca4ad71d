import { BadRequest } from "../errors";
import { type Application, findApplication } from "./applications";
import { OAuthError } from "./oauth-error";
import { isOurs, isText } from "./parameters";
import { isRegistered } from "./redirect-uri";
import { fromWire, type Scope } from "./scopes";

const MAX_LENGTH = 8192;

/** A request to authorize that can be trusted with an answer: who asks, and where the answer goes. */
export type AuthorizationRequest = { application: Application; redirectUri: string; query: string };
/** What is asked for. */
export type AuthorizationWish = { scopes: Scope[]; challenge?: string; prompt?: "none" };

/**
 * Finds out who asks and where the answer would go. Nothing may be sent to an address before this is certain.
 * @throws BadRequest for a page that tells the person
 */
export async function identifyRequest(query: string): Promise<AuthorizationRequest> {
  if (query.length > MAX_LENGTH) throw new BadRequest("The request is too long");
  const parameters = new URLSearchParams(query);
  const clientId = only(parameters, "client_id");
  const redirectUri = only(parameters, "redirect_uri");
  const application = isText(clientId) ? await findApplication(clientId) : undefined;
  if (application?.grant !== "authorization_code") throw new BadRequest("The application is not known here");
  if (!isRegistered(application.redirectUris, redirectUri)) {
    throw new BadRequest(`The address to return to (redirect_uri) is not one that ${application.name} has registered`);
  }
  return { application, redirectUri, query };
}

function only(parameters: URLSearchParams, name: string): string {
  const values = parameters.getAll(name);
  if (values.length > 1) throw new BadRequest(`The link gives ${name} twice`);
  if (!values[0]) throw new BadRequest(`The link says no ${name}`);
  return values[0];
}

/**
 * Reads what is asked for.
 * @throws OAuthError for the application, by redirect
 */
export function readWish({ application, query }: AuthorizationRequest): AuthorizationWish {
  const parameters = new URLSearchParams(query);
  const twice = [...parameters.keys()].find((name) => parameters.getAll(name).length > 1);
  if (twice !== undefined) throw new OAuthError("invalid_request", "A parameter is given twice");
  // The state is the application's own and only passes through.
  if (![...parameters].every(([name, value]) => name === "state" || (isText(name) && isText(value)))) {
    throw new OAuthError("invalid_request", "A parameter holds a character that is not text");
  }
  const { scope = "", response_type, response_mode = "query", prompt, ...rest } = Object.fromEntries(parameters);
  if (rest.request !== undefined) throw new OAuthError("request_not_supported", "request is not supported");
  if (rest.request_uri !== undefined) throw new OAuthError("request_uri_not_supported", "request_uri is not supported");
  if (response_type === undefined) throw new OAuthError("invalid_request", "response_type is missing");
  if (response_type !== "code") throw new OAuthError("unsupported_response_type", "The only response_type is code");
  if (response_mode !== "query") throw new OAuthError("invalid_request", "The only response_mode is query");
  if (prompt !== undefined && prompt !== "none" && prompt !== "consent") {
    throw new OAuthError("invalid_request", "prompt is none, consent or left out: consent is asked for every time");
  }
  if (![rest.audience, rest.resource].every(isOurs)) {
    throw new OAuthError("invalid_target", "The audience is not this API");
  }
  const scopes = fromWire(scope);
  if (!scopes?.length) throw new OAuthError("invalid_scope", "scope has to name scopes of this API, and nothing else");
  const challenge = challengeIn(rest, application.isPublic);
  return { scopes, challenge, prompt: prompt === "none" ? prompt : undefined };
}

/** PKCE: S256 alone (RFC 9700, section 2.1.1), and always where the application has no secret. */
function challengeIn(parameters: { [name: string]: string }, isPublic: boolean): string | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = parameters;
  if (challenge === undefined && method === undefined && !isPublic) return undefined;
  if (challenge === undefined) throw new OAuthError("invalid_request", "code_challenge is missing");
  if (method !== "S256") throw new OAuthError("invalid_request", "The only code_challenge_method is S256");
  if (!/^[\w-]{43}$/.test(challenge)) throw new OAuthError("invalid_request", "code_challenge is no SHA-256");
  return challenge;
}

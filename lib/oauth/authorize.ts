import { databaseNow } from "../db";
import { env } from "../env";
import { BadRequest } from "../errors";
import { repeatedName } from "../http/request-target";
import { isMacOf, macOf } from "../secrets";
import type { Session, User } from "../users";
import { type Application, findApplication } from "./applications";
import { createCode } from "./codes";
import { OAuthError } from "./errors";
import { isOurAudience, isStorableText } from "./parameters";
import { isRegisteredRedirectUri } from "./redirect-uri";
import { type ApplicationScope, isApplicationScope, parseScopes } from "./scopes";

const MAX_LENGTH = 8192;

/** An authorization request from a known application with a registered redirect URI, so that errors may be sent there. */
export type AuthorizationRequest = { application: Application; redirectUri: string; query: string };
/** What the application requests. */
export type AuthorizationInput = { scopes: ApplicationScope[]; challenge?: string; prompt?: "none" };

/**
 * Finds the application and checks its redirect URI. Before that, nothing may be sent to the redirect URI.
 * @throws BadRequest, to be shown to the person on our own page
 */
export async function findAuthorizationRequest(query: string): Promise<AuthorizationRequest> {
  if (query.length > MAX_LENGTH) throw new BadRequest("The request is too long");
  const parameters = new URLSearchParams(query);
  const clientId = only(parameters, "client_id");
  const redirectUri = only(parameters, "redirect_uri");
  const application = isStorableText(clientId) ? await findApplication(clientId) : undefined;
  if (application?.grant !== "authorization_code") throw new BadRequest("The application is unknown");
  if (!isRegisteredRedirectUri(application.redirectUris, redirectUri)) {
    throw new BadRequest(`redirect_uri is not registered for ${application.name}`);
  }
  return { application, redirectUri, query };
}

function only(parameters: URLSearchParams, name: string): string {
  const values = parameters.getAll(name);
  if (values.length > 1) throw new BadRequest(`${name} appears more than once in the link`);
  if (!values[0]) throw new BadRequest(`${name} is missing from the link`);
  return values[0];
}

/**
 * Reads the requested scopes and the PKCE challenge.
 * @throws OAuthError, to be sent to the application by redirect
 */
export function readAuthorizationInput({ application, query }: AuthorizationRequest): AuthorizationInput {
  const parameters = new URLSearchParams(query);
  if (repeatedName(parameters) !== undefined)
    throw new OAuthError("invalid_request", "A parameter is given more than once");
  // The state belongs to the application and is only passed through.
  if (![...parameters].every(([name, value]) => name === "state" || (isStorableText(name) && isStorableText(value)))) {
    throw new OAuthError("invalid_request", "A parameter contains a character that is not valid text");
  }
  const { scope = "", response_type, response_mode = "query", prompt, ...rest } = Object.fromEntries(parameters);
  if (rest.request !== undefined) throw new OAuthError("request_not_supported", "request is not supported");
  if (rest.request_uri !== undefined) throw new OAuthError("request_uri_not_supported", "request_uri is not supported");
  if (response_type === undefined) throw new OAuthError("invalid_request", "response_type is missing");
  if (response_type !== "code") throw new OAuthError("unsupported_response_type", "The only response_type is code");
  if (response_mode !== "query") throw new OAuthError("invalid_request", "The only response_mode is query");
  if (prompt !== undefined && prompt !== "none" && prompt !== "consent") {
    throw new OAuthError("invalid_request", "prompt must be none, consent or absent: consent is requested every time");
  }
  if (![rest.audience, rest.resource].every(isOurAudience)) {
    throw new OAuthError("invalid_target", "The audience is not this API");
  }
  const scopes = parseScopes(scope);
  if (!scopes?.length) throw new OAuthError("invalid_scope", "scope has to name scopes of this API, and nothing else");
  if (!scopes.every(isApplicationScope)) {
    throw new OAuthError("invalid_scope", "No application can have the scope service-api/account");
  }
  const challenge = challengeIn(rest, application.isPublic);
  return { scopes, challenge, prompt: prompt === "none" ? prompt : undefined };
}

/** PKCE: only S256 (RFC 9700, section 2.1.1), and required if the application has no secret. */
function challengeIn(parameters: { [name: string]: string }, isPublic: boolean): string | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = parameters;
  if (challenge === undefined && method === undefined && !isPublic) return undefined;
  if (challenge === undefined) throw new OAuthError("invalid_request", "code_challenge is missing");
  if (method !== "S256") throw new OAuthError("invalid_request", "The only code_challenge_method is S256");
  if (!/^[\w-]{43}$/.test(challenge)) throw new OAuthError("invalid_request", "code_challenge is no SHA-256");
  return challenge;
}

const FORM_SECONDS = 3600;

/** The redirect with a code, after the person has allowed access. */
export async function authorizationGranted(
  request: AuthorizationRequest,
  input: AuthorizationInput,
  { id: userId, sessionEpoch }: Pick<User, "id" | "sessionEpoch">,
): Promise<string> {
  const { redirectUri } = request;
  const { clientId } = request.application;
  const { scopes, challenge } = input;
  return responseAddress(request, {
    code: await createCode({ clientId, userId, sessionEpoch, scopes, redirectUri, challenge }),
  });
}

/** The redirect with an error (RFC 6749, section 4.1.2.1). */
export function authorizationRefused(request: AuthorizationRequest, { code, description }: OAuthError): string {
  return responseAddress(request, { error: code, error_description: description });
}

/** The redirect URI unchanged, plus the response, the issuer (RFC 9207) and the application's state. */
function responseAddress({ redirectUri, query }: AuthorizationRequest, answer: { [name: string]: string }): string {
  const states = query.split("&").filter((pair) => /^state(=|$)/.test(pair));
  // Passed on as it arrived, without decoding and encoding, because the state is opaque to us.
  const state = states.length === 1 ? `&${asAddress(states[0] ?? "")}` : "";
  const separator = redirectUri.includes("?") ? "&" : "?";
  return `${redirectUri}${separator}${new URLSearchParams({ ...answer, iss: env.authUrl })}${state}`;
}

function asAddress(text: string): string {
  return text.replace(/[^\w.~!$'()*+,;:@/?%=-]/g, (character) => encodeURIComponent(character));
}

/** A CSRF token that ties a consent form to the session and the request for an hour. */
export async function consentToken({ id }: Session, query: string): Promise<string> {
  const until = Math.floor((await databaseNow()).getTime() / 1000) + FORM_SECONDS;
  const { keyId, mac } = macOf("consent", [until, id, query].join("\n"));
  return [until, keyId, mac].join(".");
}

export async function isConsentToken(token: string, { id }: Session, query: string): Promise<boolean> {
  const [until = "", keyId = "", mac = ""] = token.split(".");
  if (!isMacOf("consent", [until, id, query].join("\n"), keyId, mac)) return false;
  return Number(until) * 1000 > (await databaseNow()).getTime();
}

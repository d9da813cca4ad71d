import { databaseNow } from "../db";
import { env } from "../env";
import { isMacOf, macOf } from "../secrets";
import type { Session } from "../users";
import type { AuthorizationRequest, AuthorizationWish } from "./authorization-request";
import { createCode } from "./codes";
import type { OAuthError } from "./oauth-error";

const FORM_SECONDS = 3600;

/** Where the browser goes with a code, now that the person has allowed it. */
export async function allow(request: AuthorizationRequest, wish: AuthorizationWish, userId: string): Promise<string> {
  const { redirectUri } = request;
  const { clientId } = request.application;
  const { scopes, challenge } = wish;
  return answerTo(request, { code: await createCode({ clientId, userId, scopes, redirectUri, challenge }) });
}

/** Where the browser goes when the answer is no (RFC 6749, section 4.1.2.1). */
export function refuse(request: AuthorizationRequest, { code, description }: OAuthError): string {
  return answerTo(request, { error: code, error_description: description });
}

/** The registered address as it is, with the answer, the issuer (RFC 9207) and the application's own state behind it. */
function answerTo({ redirectUri, query }: AuthorizationRequest, answer: { [name: string]: string }): string {
  const states = query.split("&").filter((pair) => /^state(=|$)/.test(pair));
  // As it came, not decoded and encoded again: to the application it is opaque.
  const state = states.length === 1 ? `&${asAddress(states[0] ?? "")}` : "";
  const separator = redirectUri.includes("?") ? "&" : "?";
  return `${redirectUri}${separator}${new URLSearchParams({ ...answer, iss: env.authUrl })}${state}`;
}

function asAddress(text: string): string {
  return text.replace(/[^\w.~!$'()*+,;:@/?%=-]/g, (character) => encodeURIComponent(character));
}

/** Ties a consent form to the session and to the request that it shows, for an hour. */
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

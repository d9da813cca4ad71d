import { isUtf8 } from "node:buffer";
import { env } from "../env";
import { readBytes } from "../http/form";
import { OAuthError } from "./errors";

export type Parameters = { [name: string]: string };

const MAX_BYTES = 65_536;

/** The parameters of a request to the token or revocation endpoint. A query is refused, because addresses end up in logs. */
export async function readParameters(request: Request): Promise<Parameters> {
  if (new URL(request.url).search)
    throw new OAuthError("invalid_request", "Send the parameters in the body, not in the query");
  return readOAuthBody(request);
}

/**
 * The parameters of a POST, as a form (as OAuth libraries send it) or as flat JSON (as in SPEC). A repeated parameter is
 * refused; an empty one counts as absent (RFC 6749, section 3.2).
 */
export async function readOAuthBody(request: Request): Promise<Parameters> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const bytes = await readBytes(request, MAX_BYTES);
  if (bytes === undefined) throw new OAuthError("invalid_request", "The request is too large");
  if (!isUtf8(bytes)) throw new OAuthError("invalid_request", "The body is not valid UTF-8");
  const text = bytes.toString("utf8");
  if (type === "application/x-www-form-urlencoded") return fromForm(new URLSearchParams(text));
  if (type === "application/json") return fromJson(text);
  throw new OAuthError("invalid_request", "Send JSON or a form");
}

function fromForm(form: URLSearchParams): Parameters {
  if (new Set(form.keys()).size < form.size)
    throw new OAuthError("invalid_request", "A parameter is given more than once");
  return checked(Object.fromEntries(form));
}

function fromJson(text: string): Parameters {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new OAuthError("invalid_request", "The body is not valid JSON");
  }
  const isFlat =
    typeof parsed === "object" &&
    parsed !== null &&
    !Array.isArray(parsed) &&
    Object.values(parsed).every((value) => typeof value === "string");
  if (!isFlat) throw new OAuthError("invalid_request", "The body is not a JSON object of strings");
  const parameters = parsed as Parameters;
  // A flat object of strings has two strings per parameter. If there are more, a name is repeated, and JSON.parse keeps only
  // its last value.
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0;
  if (strings > 2 * Object.keys(parameters).length) {
    throw new OAuthError("invalid_request", "A parameter is given more than once");
  }
  return checked(parameters);
}

function checked(parameters: Parameters): Parameters {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  if (!given.every(([name, value]) => isStorableText(name) && isStorableText(value))) {
    throw new OAuthError("invalid_request", "A parameter contains a character that is not valid text");
  }
  return Object.fromEntries(given);
}

/** Whether the database can store this text and search for it. */
export function isStorableText(value: string): boolean {
  return !value.includes("\0") && value.isWellFormed();
}

/**
 * Whether the `audience` (SPEC) or `resource` (RFC 8707) is our API, the only one that tokens are issued for. `/mcp` is a part of
 * it that has metadata of its own, so agents send its address.
 */
export function isOurAudience(target: string | undefined): boolean {
  return target === undefined || target === env.baseUrl || target === `${env.baseUrl}/mcp`;
}

/** The parameters of the networks' token and API calls whose values nobody else may learn. */
const SECRET_FIELDS = new Set([
  ...["access_token", "appsecret_proof", "assertion", "client_assertion", "client_secret", "code", "code_verifier"],
  ...["fb_exchange_token", "input_token", "password", "refresh_token", "token"],
]);
/** Shorter ones are no credentials, and to take them out would spoil the text around them. */
const SHORTEST = 6;

type Sent = { url: string; headers: Headers; body?: unknown };

/**
 * The secrets that a call carries, as a network might repeat them in its answer: the credential of its Authorization header
 * (HTTP Basic holds our application's in base64) and those among its parameters, written plainly and encoded.
 */
export function secretsOf({ url, headers, body }: Sent): string[] {
  const credential = headers.get("authorization")?.replace(/^\S+\s+/, "") ?? "";
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  const form = body instanceof URLSearchParams || (isForm && typeof body === "string") ? String(body) : "";
  const parameters = [...new URLSearchParams(form), ...new URL(url).searchParams]
    .filter(([name]) => SECRET_FIELDS.has(name))
    .flatMap(([, value]) => [value, encodeURIComponent(value)]);
  return [credential, ...parameters].filter((secret) => secret.length >= SHORTEST);
}

/** A JSON value without any of these secrets, in field names neither. */
export function withoutSecrets(value: unknown, secrets: string[]): unknown {
  // Cleaned as it is written here: a network may write the same text with escapes ("\/").
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return JSON.parse(longestFirst.reduce((left, secret) => left.replaceAll(secret, "…"), JSON.stringify(value)));
}

/** Names of parameters whose values are secret in the networks' token and API calls. */
const SECRET_FIELDS = new Set([
  ...["access_token", "appsecret_proof", "assertion", "client_assertion", "client_secret", "code", "code_verifier"],
  ...["fb_exchange_token", "input_token", "password", "refresh_token", "token"],
]);
/** Shorter values are not credentials, and removing them would garble the surrounding text. */
const SHORTEST = 6;

type Sent = { url: string; headers: Headers; body?: unknown };

/**
 * Returns the secrets in a request that a network might echo in its answer: the credential of the Authorization header
 * (for HTTP Basic, our Base64 client credentials) and secret parameters, raw and URL-encoded.
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

/** Removes secrets from a JSON value, including its field names. */
export function withoutSecrets(value: unknown, secrets: string[]): unknown {
  // Compares with our own JSON encoding: the network may escape the same text differently ("\/").
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return JSON.parse(longestFirst.reduce((left, secret) => left.replaceAll(secret, "…"), JSON.stringify(value)));
}

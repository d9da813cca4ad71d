/** Encodes a query or form body with spaces as %20, which every server understands; undefined values are omitted. */
export function query(values: { [name: string]: string | undefined }): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString().replaceAll("+", "%20");
}

/** Builds a form-encoded POST. */
export function form(values: { [name: string]: string | undefined }) {
  return {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: query(values),
  };
}

/** Returns the time `seconds` from now as ISO 8601, for `Tokens.expiresAt`. */
export function expiryAfter(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000).toISOString();
}

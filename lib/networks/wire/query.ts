/** A query or form body with spaces as %20, which every server reads; undefined values are left out. */
export function query(values: { [name: string]: string | undefined }): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString().replaceAll("+", "%20");
}

/** A form-encoded POST. */
export function form(values: { [name: string]: string | undefined }) {
  return {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: query(values),
  };
}

/** When something that lasts so many seconds from now ends, as `Tokens.expiresAt` has it. */
export function inSeconds(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000).toISOString();
}

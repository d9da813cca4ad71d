/** The cookies of a request, by name (RFC 6265, section 4.2). */
function cookies(headers: Headers): [name: string, value: string][] {
  return (headers.get("cookie")?.split(";") ?? []).map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim(), value.join("=").trim()];
  });
}

export function cookieOf(headers: Headers, name: string): string | undefined {
  return cookies(headers).find(([key]) => key === name)?.[1];
}

/** The values of all cookies whose name begins so. */
export function cookiesWithPrefix(headers: Headers, prefix: string): string[] {
  return cookies(headers).flatMap(([name, value]) => (name.startsWith(prefix) ? [value] : []));
}

/** The names of all cookies that begin so, in the order in which browsers send them: the oldest first (RFC 6265, 5.4). */
export function cookieNamesWithPrefix(headers: Headers, prefix: string): string[] {
  return cookies(headers).flatMap(([name]) => (name.startsWith(prefix) ? [name] : []));
}

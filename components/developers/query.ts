/** A page's query parameters. */
export type Query = { [name: string]: string | string[] | undefined };

/** Returns a query text without U+0000, cut at `most`; empty if it is missing or repeated. */
export function textIn(query: Query, name: string, most = 600): string {
  const value = query[name];
  return typeof value === "string" ? value.replaceAll("\0", "").slice(0, most) : "";
}

/** Returns a query number; undefined if there is none. */
export function numberIn(query: Query, name: string): number | undefined {
  const text = textIn(query, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Builds a query string; empty and undefined values are omitted. */
export function withQuery(values: { [name: string]: string | number | undefined }): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

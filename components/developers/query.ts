/** What stands in a page's address, each name once. */
export type Query = { [name: string]: string | string[] | undefined };

/** The text under a name, without U+0000 and no longer than `most`; empty where it is absent or given twice. */
export function textIn(query: Query, name: string, most = 600): string {
  const value = query[name];
  return typeof value === "string" ? value.replaceAll("\0", "").slice(0, most) : "";
}

/** The number under a name; undefined where there is none. */
export function numberIn(query: Query, name: string): number | undefined {
  const text = textIn(query, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The same address with other values; those that are empty or undefined are left out. */
export function withQuery(values: { [name: string]: string | number | undefined }): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

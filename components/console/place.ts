/** Where a list goes on, in an address: a time as the database writes it, and an id. */
export function fromPlace([at, id]: [string, string]): string {
  return encodeURIComponent(`${at} ${id}`);
}

/** The place that an address names; undefined for what is none. */
export function toPlace(text: string | string[] | undefined): [string, string] | undefined {
  const [, at, id] =
    /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
      typeof text === "string" ? text : "",
    ) ?? [];
  return at && id ? [at, id] : undefined;
}

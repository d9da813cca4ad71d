/** What a token may do. On the wire, every scope has SPEC's prefix. `api` includes all other scopes. */
export const scopes = ["accounts.read", "api", "media.write", "posts.read", "posts.write", "webhooks.write"] as const;
export type Scope = (typeof scopes)[number];

const PREFIX = "service-api/";

export const allScopes: Scope[] = ["api"];

export function formatScopes(granted: readonly Scope[]): string {
  return granted.map((scope) => PREFIX + scope).join(" ");
}

/** Parses a space-separated list; undefined if it contains an unknown scope. */
export function parseScopes(list: string): Scope[] | undefined {
  const known = list
    .split(" ")
    .filter(Boolean)
    .map((name) => scopes.find((scope) => PREFIX + scope === name));
  return known.every((scope) => scope !== undefined) ? [...new Set(known)] : undefined;
}

/** Like `parseScopes`, but the prefix is optional. For the command line. */
export function parseScopesLeniently(list: string): Scope[] | undefined {
  return parseScopes(list.replace(/(^| )(?=[a-z.]+( |$))/g, `$1${PREFIX}`));
}

export function hasScope(granted: readonly string[], needed: Scope): boolean {
  return granted.includes("api") || granted.includes(needed);
}

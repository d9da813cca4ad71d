/**
 * The scopes that a person can grant to an application. `api` includes the others. On the wire, each has SPEC's prefix.
 * `posts.propose` can create drafts that a person must approve; it never publishes anything (ADR 52).
 */
export const applicationScopes = [
  "accounts.read",
  "api",
  "media.write",
  "posts.propose",
  "posts.read",
  "posts.write",
  "webhooks.write",
] as const;

/**
 * All scopes. `account` covers deleting the user, exporting everything, and the user's sessions and allowed applications. Only
 * a personal token can have it, so that no application can do any of this, whatever the person allowed.
 */
export const scopes = ["account", ...applicationScopes] as const;
export type Scope = (typeof scopes)[number];
export type ApplicationScope = (typeof applicationScopes)[number];

export function isApplicationScope(scope: Scope): scope is ApplicationScope {
  return scope !== "account";
}

const PREFIX = "service-api/";

/** What partner tokens and applications can have at most. */
export const allScopes: Scope[] = ["api"];

/** The scopes of a personal token that may do everything. */
export const everyScope: Scope[] = ["account", "api"];

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
  return granted.includes(needed) || (needed !== "account" && granted.includes("api"));
}

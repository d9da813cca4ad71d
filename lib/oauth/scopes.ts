/** What a token may do. On the wire every scope carries SPEC's prefix; `api` stands for all of them. */
export const scopes = ["accounts.read", "api", "media.write", "posts.read", "posts.write", "webhooks.write"] as const;
export type Scope = (typeof scopes)[number];

const PREFIX = "service-api/";

export const allScopes: Scope[] = ["api"];

export function toWire(granted: readonly Scope[]): string {
  return granted.map((scope) => PREFIX + scope).join(" ");
}

/** Reads a space-separated list, prefixed or not. Undefined where it names a scope that does not exist. */
export function fromWire(list: string): Scope[] | undefined {
  const names = list.split(" ").filter(Boolean);
  const known = names.map((name) => scopes.find((scope) => scope === name.replace(PREFIX, "")));
  return known.every((scope) => scope !== undefined) ? [...new Set(known as Scope[])] : undefined;
}

export function allows(granted: readonly string[], needed: Scope): boolean {
  return granted.includes("api") || granted.includes(needed);
}

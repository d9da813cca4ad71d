import { fingerprint, randomToken } from "./ids";
import type { Collection } from "./journal";

/** What a person allowed an application; tokens point to it and die with it. */
export type Grant = { id: string; account: string; clientId: string; scopes: string[]; tokens: string[] };
type KeptToken = { grant: string; kind: string; issuedAt: number; expiresAt: number };
export type LiveToken = KeptToken & { grant: string; account: string; scopes: string[] };

export type Grants = {
  open(grant: Omit<Grant, "id" | "tokens">): Grant;
  find(id: string): Grant | undefined;
  /** A new token of that kind; only its fingerprint is kept. */
  issue(grant: Grant, kind: string, lifetimeSeconds: number): string;
  /** The token if it is alive: issued here, of one of the kinds, not expired, spent or revoked. */
  look(token: string, ...kinds: string[]): LiveToken | undefined;
  /** Ends every token of the grant, and the grant unless it goes on with new ones. */
  endTokens(grantId: string): void;
};

export function openGrants(grants: Collection<Grant>, tokens: Collection<KeptToken>, now: () => number): Grants {
  return {
    open(grant) {
      const id = randomToken(9);
      return grants.put(id, { ...grant, id, tokens: [] });
    },
    find: (id) => grants.get(id),
    issue(grant, kind, lifetimeSeconds) {
      const token = randomToken(48);
      const key = fingerprint(token);
      tokens.put(key, { grant: grant.id, kind, issuedAt: now(), expiresAt: now() + lifetimeSeconds * 1000 });
      const current = grants.get(grant.id) ?? grant;
      grants.put(grant.id, { ...current, tokens: [...current.tokens, key] });
      return token;
    },
    look(token, ...kinds) {
      const kept = tokens.get(fingerprint(token));
      const grant = kept && grants.get(kept.grant);
      if (!kept || !grant || !kinds.includes(kept.kind) || kept.expiresAt <= now()) return undefined;
      return { ...kept, account: grant.account, scopes: grant.scopes };
    },
    endTokens(grantId) {
      const grant = grants.get(grantId);
      if (!grant) return;
      for (const key of grant.tokens) tokens.delete(key);
      grants.put(grantId, { ...grant, tokens: [] });
    },
  };
}

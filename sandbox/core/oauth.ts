import { fingerprint, randomToken } from "./ids";
import type { Collection } from "./journal";

/** A user's consent to an application. Its tokens refer to it and are revoked together. */
export type Grant = { id: string; account: string; clientId: string; scopes: string[]; tokens: string[] };
type StoredToken = { grant: string; kind: string; issuedAt: number; expiresAt: number };
export type ActiveToken = StoredToken & { grant: string; account: string; scopes: string[] };

export type Grants = {
  create(grant: Omit<Grant, "id" | "tokens">): Grant;
  find(id: string): Grant | undefined;
  /** Issues a token of the given kind. Only its fingerprint is stored. */
  issue(grant: Grant, kind: string, lifetimeSeconds: number): string;
  /** Returns the token if it was issued here, has one of the kinds and is not expired, spent or revoked. */
  findToken(token: string, ...kinds: string[]): ActiveToken | undefined;
  /** Returns the user of a token of any kind, even if it has expired. Ignores what a network puts before the random part. */
  accountOf(token: string): string | undefined;
  /** Revokes all tokens of the grant. New tokens can still be issued for it. */
  revokeTokens(grantId: string): void;
};

export function openGrants(grants: Collection<Grant>, tokens: Collection<StoredToken>, now: () => number): Grants {
  return {
    create(grant) {
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
    findToken(token, ...kinds) {
      const stored = tokens.get(fingerprint(token));
      const grant = stored && grants.get(stored.grant);
      if (!stored || !grant || !kinds.includes(stored.kind) || stored.expiresAt <= now()) return undefined;
      return { ...stored, account: grant.account, scopes: grant.scopes };
    },
    accountOf(token) {
      const stored = tokens.get(fingerprint(token.replace(/^.*[./]/, "")));
      return stored && grants.get(stored.grant)?.account;
    },
    revokeTokens(grantId) {
      const grant = grants.get(grantId);
      if (!grant) return;
      for (const key of grant.tokens) tokens.delete(key);
      grants.put(grantId, { ...grant, tokens: [] });
    },
  };
}

/** The authorization request that a code was issued for. */
export type CodeBinding = {
  account: string;
  clientId: string;
  redirectUri: string;
  scopes: string[];
  challenge?: string;
  challengeMethod?: string;
};
type StoredCode = CodeBinding & { expiresAt: number };

export type Codes = {
  issue(facts: CodeBinding, lifetimeSeconds: number): string;
  redeem(code: string): CodeBinding | undefined;
  /** True for an unused code past its lifetime; some networks report this case separately. */
  isExpired(code: string): boolean;
};

/** Authorization codes: single use, and only within their lifetime. */
export function openCodes(stored: Collection<StoredCode>, now: () => number): Codes {
  return {
    issue(facts, lifetimeSeconds) {
      const code = randomToken(36);
      stored.put(fingerprint(code), { ...facts, expiresAt: now() + lifetimeSeconds * 1000 });
      return code;
    },
    redeem(code) {
      const key = fingerprint(code);
      const facts = stored.get(key);
      stored.delete(key);
      return facts && facts.expiresAt > now() ? facts : undefined;
    },
    isExpired(code) {
      const facts = stored.get(fingerprint(code));
      return facts !== undefined && facts.expiresAt <= now();
    },
  };
}

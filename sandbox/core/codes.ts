import { fingerprint, randomToken } from "./ids";
import type { Collection } from "./journal";

/** What the consent bound an authorization code to. */
export type CodeFacts = {
  account: string;
  clientId: string;
  redirectUri: string;
  scopes: string[];
  challenge?: string;
  challengeMethod?: string;
};
type KeptCode = CodeFacts & { expiresAt: number };

export type Codes = {
  issue(facts: CodeFacts, lifetimeSeconds: number): string;
  redeem(code: string): CodeFacts | undefined;
  /** Whether a code was never used and is too old now, for networks that tell so. */
  isTooOld(code: string): boolean;
};

/** Authorization codes: one use, and that one in time. */
export function openCodes(kept: Collection<KeptCode>, now: () => number): Codes {
  return {
    issue(facts, lifetimeSeconds) {
      const code = randomToken(36);
      kept.put(fingerprint(code), { ...facts, expiresAt: now() + lifetimeSeconds * 1000 });
      return code;
    },
    redeem(code) {
      const key = fingerprint(code);
      const facts = kept.get(key);
      kept.delete(key);
      return facts && facts.expiresAt > now() ? facts : undefined;
    },
    isTooOld(code) {
      const facts = kept.get(fingerprint(code));
      return facts !== undefined && facts.expiresAt <= now();
    },
  };
}

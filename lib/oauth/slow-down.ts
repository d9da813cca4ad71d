import { once } from "../db/per-process";
import { OAuthError } from "./oauth-error";

/** Mistakes that cost nothing; from then on a client's attempts from one address are spaced out. */
const FREE = 5;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 500;
/** More attempts than this at once are not even queued. */
const LONGEST_QUEUE_MS = 10_000;
const FORGET_MS = 600_000;
const MAX_ENTRIES = 10_000;

type Entry = { failures: number; freeAt: number; lastAt: number };
const entries = once("oauth.slow-down", () => new Map<string, Entry>());

/**
 * Waits for the turn of an attempt to authenticate. Only a pair of client and address is slowed down: nobody can keep a
 * client out from elsewhere, and the right secret always gets its turn.
 */
export async function takeTurn(clientId: string, address: string): Promise<{ failed(): void; succeeded(): void }> {
  const key = `${clientId.slice(0, 100)} ${address}`;
  const entry = entries.get(key);
  const now = performance.now();
  if (entry && now - entry.lastAt > FORGET_MS) entries.delete(key);
  else if (entry && entry.failures >= FREE) {
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (entry.failures - FREE));
    const turn = Math.max(now, entry.freeAt) + delay;
    if (turn - now > LONGEST_QUEUE_MS) throw new OAuthError("slow_down", "Too many wrong secrets; try again later");
    entry.freeAt = turn;
    await new Promise((resolve) => setTimeout(resolve, turn - now));
  }
  return {
    failed: () => remember(key),
    succeeded: () => entries.delete(key),
  };
}

function remember(key: string): void {
  const entry = entries.get(key) ?? { failures: 0, freeAt: 0, lastAt: 0 };
  entries.delete(key); // to its place at the end: the oldest go first when there are too many
  entries.set(key, { ...entry, failures: entry.failures + 1, lastAt: performance.now() });
  const [oldest] = entries.keys();
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
}

import { hash } from "node:crypto";
import { onAccessChanged } from "../db/access";
import { listenOn } from "../db/listen";
import { perProcess } from "../db/per-process";
import { findGrant, type Grant } from "./grants";
import { hasScope } from "./scopes";
import { readAccessToken } from "./tokens";

const MAX_ENTRIES = 10_000;
/** Were a notice ever lost on its way (a pooler that drops them), this would be the end of it. */
const KEEP_MS = 60_000;

type Entry = { grant: Grant; about: (string | undefined)[]; expiresAt: number };

/**
 * Tokens that were verified a moment ago, under their SHA-256, with the grant as it was then. A change to the grant, its
 * person or its application drops the entry: at once where it was made in this process, else by the database's notice.
 * While nobody listens to those, nothing is taken from here.
 */
const cache = perProcess("oauth.bearer", () => {
  const entries = new Map<string, Entry>();
  let changes = 0;
  let listener: ReturnType<typeof listenOn> | undefined;
  const forget = (id: string) => {
    changes++;
    for (const [key, { about }] of entries) if (about.includes(id)) entries.delete(key);
  };
  const lost = () => {
    changes++;
    entries.clear();
  };
  onAccessChanged(forget);
  return {
    entries,
    changes: () => changes,
    isLive() {
      listener ??= listenOn("access_changed", { notice: forget, lost });
      return listener.isLive() || listener.catchUp();
    },
  };
});

/**
 * The grant behind a bearer token, with the scopes of this token, or undefined where the token is not one of our access
 * tokens, has expired, or its grant was revoked. A signature alone cannot see suspension or revocation.
 */
export async function findBearerGrant(token: string): Promise<Grant | undefined> {
  const key = hash("sha256", token, "base64");
  const isLive = await cache.isLive();
  const known = isLive ? cache.entries.get(key) : undefined;
  if (known && known.expiresAt > Date.now()) return known.grant;

  const changes = cache.changes();
  const claims = await readAccessToken(token);
  const found = claims && (await findGrant(claims.grantId));
  if (!claims || !found) return undefined;
  const { clientId, ...rest } = found;
  const grant: Grant = { ...rest, scopes: claims.scopes.filter((scope) => hasScope(found.scopes, scope)) };
  // What was read while something changed may be what was true before.
  if (isLive && changes === cache.changes()) {
    remember(key, {
      grant,
      about: [grant.id, grant.user?.id, clientId ?? undefined],
      expiresAt: Math.min(claims.expiresAt, Date.now() + KEEP_MS),
    });
  }
  return grant;
}

function remember(key: string, entry: Entry): void {
  cache.entries.set(key, entry);
  const [oldest] = cache.entries.keys();
  if (cache.entries.size > MAX_ENTRIES && oldest !== undefined) cache.entries.delete(oldest);
}

import { hash } from "node:crypto";
import { onAccessChanged } from "../db/access";
import { listenOn } from "../db/listen";
import { perProcess } from "../db/per-process";
import { findGrant, type Grant } from "./grants";
import { hasScope } from "./scopes";
import { readAccessToken } from "./tokens";

const MAX_ENTRIES = 10_000;
/** Limits how long an entry can be stale if a notification is lost, for example in a connection pooler. */
const KEEP_MS = 60_000;

type Entry = { grant: Grant; about: (string | undefined)[]; expiresAt: number };

/**
 * A cache of recently verified tokens by their SHA-256, with their grants. A change to the grant, its user or its
 * application removes the entry: at once if it was made in this process, otherwise by a database notification. While the
 * process is not listening to notifications, the cache is not used.
 */
const cache = perProcess("oauth.bearer", () => {
  const entries = new Map<string, Entry>();
  let changes = 0;
  let listener: ReturnType<typeof listenOn> | undefined;
  const invalidate = (id: string) => {
    changes++;
    for (const [key, { about }] of entries) if (about.includes(id)) entries.delete(key);
  };
  const lost = () => {
    changes++;
    entries.clear();
  };
  onAccessChanged(invalidate);
  return {
    entries,
    changes: () => changes,
    listener() {
      listener ??= listenOn("access_changed", { notice: invalidate, lost });
      return listener;
    },
  };
});

/**
 * The grant of a bearer token, with the scopes of this token; undefined if it is not a valid access token or its grant was
 * revoked. The database is asked because a signature does not show suspension or revocation.
 */
export async function findBearerGrant(token: string): Promise<Grant | undefined> {
  const key = hash("sha256", token, "base64");
  const listener = cache.listener();
  const isLive = listener.isLive() || (await listener.catchUp());
  const known = isLive ? cache.entries.get(key) : undefined;
  if (known && known.expiresAt > Date.now()) return known.grant;

  const changes = cache.changes();
  const claims = await readAccessToken(token);
  const found = claims && (await findGrant(claims.grantId));
  if (!claims || !found) return undefined;
  const grant: Grant = { ...found, scopes: claims.scopes.filter((scope) => hasScope(found.scopes, scope)) };
  // If something changed while the grant was read, the result may be stale and is not cached.
  if (isLive && changes === cache.changes()) {
    remember(key, {
      grant,
      about: [grant.id, grant.user?.id, grant.clientId],
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

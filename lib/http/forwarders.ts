import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { gt, sql } from "drizzle-orm";
import { db, forwarders } from "../db";
import { env } from "../env";
import { log } from "../log";
import { clientAddress, isProxy } from "./client-address";
import { isPublicAddress } from "./egress-guard";
import { countHere } from "./rate-limit";

/** The headers with which a proxy describes the client's request. */
const HEADERS = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded"] as const;

/** A sender of forwarded headers that is not in `TRUSTED_PROXIES`. */
export type Forwarder = { address: string; header: string; isPublic: boolean };

/** Returns the name of a header with which a proxy describes the client's request, if there is one. */
export function forwardedHeaderOf(headers: IncomingHttpHeaders): string | undefined {
  return HEADERS.find((name) => headers[name] !== undefined);
}

/**
 * Records for `doctor`, at most once a minute, that a connection outside of `TRUSTED_PROXIES` sent a forwarded header. One row
 * for private and one for public addresses: a private one is almost certainly a proxy, a public one may be a client that
 * makes the header up, and must not hide the proxy.
 */
export function reportForwarder({ headers, socket }: IncomingMessage, now = Date.now()): void {
  const header = forwardedHeaderOf(headers);
  if (!header) return;
  const address = clientAddress(socket.remoteAddress, undefined, undefined);
  if (!address || isProxy(address, env.trustedProxies)) return;
  const isPublic = isPublicAddress(address);
  if (!countHere("forwarders", String(isPublic), 1, now).allowed) return;
  const kind: "public" | "private" = isPublic ? "public" : "private";
  const values = { kind, address, header, seenAt: sql`now()` };
  db.insert(forwarders)
    .values(values)
    .onConflictDoUpdate({ target: forwarders.kind, set: values })
    .catch((error: unknown) => log.warn({ error: String(error) }, "an untrusted forwarded header was not recorded"));
}

/** The untrusted forwarders of the last 24 hours. */
export async function listForwarders(): Promise<Forwarder[]> {
  const rows = await db.select().from(forwarders).where(gt(forwarders.seenAt, sql`now() - interval '24 hours'`));
  return rows.map(({ address, header, kind }) => ({ address, header, isPublic: kind === "public" }));
}

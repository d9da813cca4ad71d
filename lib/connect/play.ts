import { eq } from "drizzle-orm";
import { db, rehearsals, users } from "../db";
import { BadRequest } from "../errors";
import type { Network } from "../networks";
import { rehearsalOf } from "./rehearsals";

/**
 * Plays the part of a rehearsal that comes before the network's page: answers where its person goes, or throws what would
 * be thrown.
 * @param url where the person would go
 */
export async function play(owner: string, network: Network, url: string): Promise<string> {
  const [row] = await db
    .select({ way: rehearsals.failure })
    .from(rehearsals)
    .innerJoin(users, eq(users.partnerId, rehearsals.partnerId))
    .where(eq(users.id, owner));
  switch (row && rehearsalOf(row.way)?.played) {
    case "missing permission":
      return withoutPermission(network, url);
    case "unavailable":
      throw new BadRequest(`platform cannot be connected here yet: ${network.platform}`);
    case "fault":
      throw new Error("a rehearsed fault");
    case undefined:
      return url;
  }
}

/** The network's page, asked for everything but one permission that posting needs: as if the person had left it out. */
function withoutPermission({ connect }: Network, url: string): string {
  const missing = connect.kind === "oauth" ? connect.requiredScopes.at(-1) : undefined;
  const asked = new URL(url);
  const scope = asked.searchParams.get("scope") ?? "";
  const separator = scope.includes(",") ? "," : " ";
  const left = scope.split(separator).filter((one) => one !== missing);
  asked.searchParams.set("scope", left.join(separator));
  return asked.href;
}

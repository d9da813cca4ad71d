import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { eraseAccounts } from "../accounts";
import { connectAttempts, databaseNow, db, rehearsals, users } from "../db";
import { env } from "../env";
import { BadRequest } from "../errors";
import { type Platform, platforms, platformValues } from "../platforms";
import { digestOf } from "../secrets";
import { setSuspended } from "../users";
import type { Partner } from "./members";
import { openAttempt } from "./open";
import { redirectUriProblem } from "./redirect-uri";
import { type Rehearsal, type RehearsalWay, rehearsalOf } from "./rehearsals";
import { connectUrl } from "./state";
import { type ConnectTrace, listTraces } from "./traces";
import { connectWithoutBrowser } from "./without-browser";

/** SPEC's, of which only simulated ones are rehearsed on: no call of a rehearsal reaches a real network. */
const PARTNERS: Platform[] = ["INSTAGRAM", "FACEBOOK", "YOUTUBE", "TIKTOK", "X_TWITTER", "LINKEDIN", "THREADS"];

const TOO_OLD_MS = 3_600_000;

/** The networks that a rehearsal can be on here; none where there is no sandbox. */
export function rehearsalPlatforms(): Platform[] {
  if (!env.sandbox) return [];
  return platformValues.filter((one) => PARTNERS.includes(one) && env.networks[platforms[one]].mode === "sandbox");
}

type Wish = { way: string; platform: string; redirectUri: string };

/**
 * Begins a rehearsal with somebody who does not exist, and answers where the browser goes. It ends at the console, which
 * shows what the partner's own address would have got. An earlier rehearsal of the partner is over with it.
 * @throws BadRequest with every problem
 */
export async function startRehearsal(partner: Partner, { way, platform: on, redirectUri }: Wish): Promise<string> {
  const rehearsal = rehearsalOf(way);
  const platform = rehearsalPlatforms().find((one) => one === on);
  const problem = redirectUriProblem(redirectUri);
  if (!rehearsal || !platform || problem) {
    throw new BadRequest(
      ...[
        !rehearsal && "way is none",
        !platform && "platform cannot be rehearsed on here",
        problem && `redirectUri ${problem}`,
      ].filter((one): one is string => typeof one === "string"),
    );
  }
  const person = await actorOf(partner.id, "person");
  const somebodyElse = await actorOf(partner.id, "somebody else");
  for (const owner of [person, somebodyElse]) await eraseAccounts(owner);
  await setSuspended(person, rehearsal.arranged === "suspended");
  const values = { partnerId: partner.id, failure: way, platform, redirectUri, isArmed: rehearsal.fault !== undefined };
  await db
    .insert(rehearsals)
    .values(values)
    .onConflictDoUpdate({ target: rehearsals.partnerId, set: { ...values, startedAt: sql`now()` } });
  return addressFor(rehearsal, { partner, platform, person, somebodyElse });
}

type Cast = { partner: Partner; platform: Platform; person: string; somebodyElse: string };

async function addressFor({ arranged }: Rehearsal, cast: Cast): Promise<string> {
  const { partner, platform, person: owner, somebodyElse } = cast;
  const redirectUri = rehearsalReturn(partner);
  const now = await databaseNow();
  const jti = randomUUID();
  const link = { jti, client: partner.clientId, owner, platform, redirectUri };
  if (arranged === "expired") return connectUrl(link, new Date(now.getTime() - TOO_OLD_MS));
  if (arranged === "changed") return `${connectUrl(link, now).slice(0, -3)}AAA`;
  if (arranged === "in use") await connectWithoutBrowser(somebodyElse, platform, rehearsalPerson(partner));
  if (arranged === "used") {
    await connectWithoutBrowser(owner, platform, rehearsalPerson(partner), jti);
    return connectUrl(link, now);
  }
  // Begun here, so that the browser which comes back has never begun it.
  if (arranged === "wrong browser") return (await openAttempt(link)).url;
  return connectUrl(link, now);
}

/** The simulated person whom a rehearsal connects for somebody else: the partner's own, so that two never meet. */
export function rehearsalPerson({ clientId }: Pick<Partner, "clientId">): string {
  return `r${digestOf(clientId).toString("hex").slice(0, 10)}`;
}

export function rehearsalReturn({ clientId }: Pick<Partner, "clientId">): string {
  return `${env.appUrl}/console/${clientId}/rehearsal?back=yes`;
}

/** Somebody of a partner's rehearsals, made on first use. */
async function actorOf(partnerId: string, rehearses: "person" | "somebody else"): Promise<string> {
  const isHere = and(eq(users.partnerId, partnerId), eq(users.rehearses, rehearses));
  const name = rehearses === "person" ? "Rehearsal" : "Rehearsal, somebody else";
  await db
    .insert(users)
    .values({ partnerId, rehearses, name, externalUserId: `rehearsal ${randomUUID()}` })
    .onConflictDoNothing();
  const [row] = await db.select({ id: users.id }).from(users).where(isHere);
  if (!row) throw new Error("nobody could be found for the rehearsal");
  return row.id;
}

/**
 * Arms what a rehearsal has to go wrong, in the moment before the calls that it is for: the simulated networks are
 * everybody's, and what is armed meets whoever calls next.
 */
export async function armRehearsal(state: string): Promise<void> {
  if (!env.sandbox || state === "") return;
  const [row] = await db
    .select({ partnerId: users.partnerId })
    .from(connectAttempts)
    .innerJoin(users, eq(users.id, connectAttempts.ownerId))
    .where(and(eq(connectAttempts.codeHash, digestOf(state)), eq(users.rehearses, "person")));
  if (!row?.partnerId) return;
  const [armed] = await db
    .update(rehearsals)
    .set({ isArmed: false })
    .where(and(eq(rehearsals.partnerId, row.partnerId), eq(rehearsals.isArmed, true)))
    .returning();
  const fault = armed && rehearsalOf(armed.failure)?.fault;
  if (!armed || !fault) return;
  await fetch(`${env.sandbox.url}/_control/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ network: platforms[armed.platform], times: 1, ...fault }),
    signal: AbortSignal.timeout(5_000),
  });
}

/** A partner's newest rehearsal, and what became of it; `trace` is absent until the link was opened, or was none. */
export type Rehearsed = { way: RehearsalWay; rehearsal: Rehearsal; platform: Platform; redirectUri: string } & {
  outcome: "connected" | "not connected" | "under way";
  trace?: ConnectTrace;
};

export async function rehearsedBy(partnerId: string): Promise<Rehearsed | undefined> {
  const [row] = await db.select().from(rehearsals).where(eq(rehearsals.partnerId, partnerId));
  const rehearsal = row && rehearsalOf(row.failure);
  if (!row || !rehearsal) return undefined;
  const { items } = await listTraces(partnerId, { limit: 1, connectUserId: await actorOf(partnerId, "person") });
  const [trace] = items.filter(({ startedAt }) => Date.parse(asIso(startedAt)) >= Date.parse(asIso(row.startedAt)));
  const { platform, redirectUri } = row;
  const way = row.failure as RehearsalWay; // `rehearsalOf` knows it
  return { way, rehearsal, platform, redirectUri, outcome: outcomeOf(rehearsal, trace), ...(trace ? { trace } : {}) };
}

/** A link that is no good leaves no trace of its own, and another browser leaves the attempt open for the right one. */
function outcomeOf({ arranged }: Rehearsal, trace: ConnectTrace | undefined): Rehearsed["outcome"] {
  if (arranged === "expired" || arranged === "changed" || arranged === "used") return "not connected";
  if (trace?.steps.some(({ step }) => step === "wrong browser")) return "not connected";
  if (!trace || trace.outcome === "under way") return "under way";
  return trace.outcome === "connected" ? "connected" : "not connected";
}

function asIso(time: string): string {
  return time.replace(" ", "T").replace(/\+00$/, "Z");
}

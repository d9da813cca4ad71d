import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { counted, storeAccount } from "../accounts";
import { applications, connectAttempts, db, partners, type TraceStep, users } from "../db";
import { AccessDenied, StateExpired } from "../errors";
import { log } from "../log";
import { appOf, type Network, networkOf, type OAuthConnect, type Profile, sessionOf, type Tokens } from "../networks";
import type { Platform } from "../platforms";
import { digestOf, unseal } from "../secrets";
import { assertStays, BeingDeleted } from "../users";
import { callbackUri, locationAfter } from "./addresses";
import { asFailure, ConnectFailed, type Whose } from "./failure";
import { addToTrace, stepAt } from "./traces";

/** Longer than a network's token endpoint usually takes. */
const DOUBLE_CLICK_MS = 10_000;

/** How networks call it when a person says no (RFC 6749, section 4.1.2.1; the rest are LinkedIn's). */
const SAID_NO = new Set(["access_denied", "user_cancelled_login", "user_cancelled_authorize"]);

type Attempt = typeof connectAttempts.$inferSelect;
type Done = { accountId: number; location: string; whose: Whose };
type OAuthNetwork = Network & { connect: OAuthConnect };

/**
 * The network's callback: takes the attempt exactly once, and only in the browser that opened it, exchanges the code and
 * stores the account, all or nothing. Answers where the browser goes.
 * @param nonces the secrets of all attempts that this browser has cookies for
 * @throws ConnectFailed
 */
export async function completeAttempt(platform: Platform, query: URLSearchParams, nonces: string[]): Promise<Done> {
  const network = networkOf(platform);
  const state = query.get("state") ?? "";
  if (!isOAuth(network)) throw asFailure(new StateExpired());
  const attempt = await consume(platform, state, nonces);
  if ("location" in attempt) return attempt;
  const steps: TraceStep[] = [];
  try {
    await addToTrace(db, attempt.traceCode, [stepAt("returned", { says: errorOf(query) })]);
    return await finish(network, attempt, query, steps);
  } catch (error) {
    throw await keepFailure(attempt, error, steps);
  }
}

function isOAuth(network: Network | undefined): network is OAuthNetwork {
  return network?.connect.kind === "oauth";
}

async function finish(
  network: OAuthNetwork,
  attempt: Attempt,
  query: URLSearchParams,
  steps: TraceStep[],
): Promise<Done> {
  assertCode(network, query);
  await assertAllowed(attempt.ownerId);
  const timed = timer(steps);
  const tokens = await timed("exchange", () => exchange(network, attempt, query));
  await timed("permissions", async () => assertPermissions(network, tokens));
  const session = counted(sessionOf(network, { accountId: "", username: "", tokens }), network);
  const profile = await timed("profile", () => network.profile(session));
  const accountId = await timed("store", () => store(network, attempt, profile, tokens, steps));
  return doneWith(attempt, accountId);
}

/** The account, the attempt's end and the trace's, all or nothing. */
function store(
  network: Network,
  attempt: Attempt,
  profile: Profile,
  tokens: Tokens,
  steps: TraceStep[],
): Promise<number> {
  return db.transaction(async (tx) => {
    await assertStays(tx, attempt.ownerId);
    const { id: accountId } = await storeAccount(tx, network, attempt.ownerId, profile, tokens);
    await tx
      .update(connectAttempts)
      .set({ completedAt: sql`now()`, accountId, flowSealed: null })
      .where(eq(connectAttempts.id, attempt.id));
    await addToTrace(tx, attempt.traceCode, [...steps, stepAt("store")], { outcome: "connected", accountId });
    return accountId;
  });
}

function doneWith(attempt: Attempt, accountId: number): Done {
  return { accountId, location: locationAfter(attempt.redirectUri, accountId), whose: whoseIs(attempt, false) };
}

/** Notes each step with how long it took; one that fails is noted with why. */
function timer(steps: TraceStep[]) {
  return async <T>(step: TraceStep["step"], work: () => Promise<T>): Promise<T> => {
    const since = Date.now();
    try {
      const result = await work();
      steps.push(stepAt(step, { ms: Date.now() - since }));
      return result;
    } catch (error) {
      const { message, network } = asFailure(error);
      steps.push(stepAt(step, { ms: Date.now() - since, says: message, network }));
      throw error;
    }
  };
}

/** What the network gave as `error`: a name of the protocol's, or nothing that is repeated. */
function errorOf(query: URLSearchParams): string | undefined {
  const error = query.get("error");
  if (error === null) return undefined;
  return /^[a-z0-9_.-]{1,64}$/i.test(error) ? `The network says: ${error}` : "The network says that something failed";
}

/** @throws ConnectFailed where the person said no, or the network sent no code */
function assertCode(network: Network, query: URLSearchParams): void {
  const error = query.get("error");
  if (error !== null && SAID_NO.has(error))
    throw new ConnectFailed("denied", `Connecting ${network.name} was declined`);
  if (error !== null) throw new ConnectFailed("network", `${network.name} sent an error instead of a code`);
  if (!query.get("code")) throw new ConnectFailed("network", `${network.name} sent no code`);
}

/** @throws AccessDenied, BeingDeleted where the user or its partner was suspended, or is to go, since the link was opened */
async function assertAllowed(ownerId: string): Promise<void> {
  const [row] = await db
    .select({ deleting: users.deletingAt, user: users.suspendedAt, partner: applications.suspendedAt })
    .from(users)
    .leftJoin(partners, eq(partners.id, users.partnerId))
    .leftJoin(applications, eq(applications.clientId, partners.clientId))
    .where(eq(users.id, ownerId));
  if (!row || row.deleting) throw new BeingDeleted();
  if (row.user || row.partner) throw new AccessDenied();
}

function exchange(network: OAuthNetwork, attempt: Attempt, query: URLSearchParams): Promise<Tokens> {
  const about = attempt.codeHash.toString("hex");
  const flow = JSON.parse(unseal("connect attempt", about, attempt.flowSealed ?? Buffer.alloc(0)));
  return network.connect.exchange(appOf(network), {
    code: query.get("code") ?? "",
    issuer: query.get("iss") ?? undefined,
    redirectUri: callbackUri(network),
    verifier: flow.verifier,
    keep: flow.keep,
  });
}

/** @throws ConnectFailed where the person left out what posting needs */
function assertPermissions(network: OAuthNetwork, { scopes }: Tokens): void {
  const missing = network.connect.requiredScopes.filter((scope) => scopes && !scopes.includes(scope));
  if (missing.length === 0) return;
  throw new ConnectFailed(
    "missing permission",
    `${network.name} did not give the permission to post (${missing.join(", ")})`,
  );
}

async function consume(platform: Platform, state: string, nonces: string[]): Promise<Attempt | Done> {
  const byState = and(eq(connectAttempts.codeHash, digestOf(state)), eq(connectAttempts.platform, platform));
  const inBrowser = nonces.length > 0 ? inArray(connectAttempts.nonceHash, nonces.map(digestOf)) : sql`false`;
  const [taken] = await db
    .update(connectAttempts)
    .set({ consumedAt: sql`now()` })
    .where(and(byState, inBrowser, isNull(connectAttempts.consumedAt), gt(connectAttempts.expiresAt, sql`now()`)))
    .returning();
  if (taken) return taken;
  const mine = await settled(and(byState, inBrowser));
  if (mine?.completedAt && mine.accountId !== null) {
    return doneWith(mine, mine.accountId); // the back button, or a reload
  }
  if (mine) throw asFailure(new StateExpired(), { traceCode: mine.traceCode, whose: whoseIs(mine, true) });
  throw await elsewhere(byState);
}

/** Why a browser that did not begin the attempt gets nothing of it. */
async function elsewhere(byState: SQL | undefined): Promise<ConnectFailed> {
  const [known] = await db
    .select({ attempt: connectAttempts, isPast: sql<boolean>`${connectAttempts.expiresAt} <= now()` })
    .from(connectAttempts)
    .where(byState);
  if (!known) return asFailure(new StateExpired());
  const facts = { traceCode: known.attempt.traceCode, whose: whoseIs(known.attempt, false) };
  if (known.isPast) return asFailure(new StateExpired(), facts); // the browser has thrown its cookie away by now
  const says = "This connect was begun in another browser";
  await addToTrace(db, facts.traceCode, [stepAt("wrong browser", { says })]);
  return new ConnectFailed("wrong browser", says, facts);
}

/** The attempt, once whoever took it is done with it: a double click waits for the first one's outcome. */
async function settled(which: SQL | undefined): Promise<Attempt | undefined> {
  for (const since = Date.now(); ; await sleep(100)) {
    const [attempt] = await db.select().from(connectAttempts).where(which);
    const underWay = attempt?.consumedAt && !attempt.completedAt && !attempt.failure;
    if (!underWay || Date.now() - since > DOUBLE_CLICK_MS) return attempt;
  }
}

function whoseIs({ ownerId: owner, account, ...attempt }: Attempt, canRestart: boolean): Whose {
  const { platform, redirectUri, language } = attempt;
  return { owner, platform, redirectUri, account: account ?? undefined, language, canRestart };
}

async function keepFailure(attempt: Attempt, error: unknown, steps: TraceStep[]): Promise<ConnectFailed> {
  const { traceCode } = attempt;
  const { failure, message, network } = asFailure(error);
  const canRestart = !(error instanceof BeingDeleted);
  const failed = new ConnectFailed(failure, message, { traceCode, whose: whoseIs(attempt, canRestart), network });
  if (failure === "fault")
    log.error({ attempt: traceCode, error: error instanceof Error ? error.stack : String(error) }, message);
  else log.info({ attempt: traceCode, failure, answer: network }, message);
  await db
    .update(connectAttempts)
    .set({ failure: `${failure}: ${message}`, flowSealed: null })
    .where(eq(connectAttempts.id, attempt.id));
  await addToTrace(db, traceCode, steps, { outcome: failure });
  return failed;
}

import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { reportOperatorProblem, storeAccount, withNewToken, withQuotaCounting } from "../accounts";
import { accounts, applications, connectAttempts, db, partners, type TraceStep, type Tx, users } from "../db";
import { AccessDenied, StateExpired } from "../errors";
import { log } from "../log";
import {
  accountHandle,
  appOf,
  type Network,
  networkOf,
  networkSession,
  type OAuthConnect,
  PlatformError,
  type Profile,
  type Tokens,
} from "../networks";
import type { Platform } from "../platforms";
import { sha256 } from "../secrets";
import { assertNotBeingDeleted, BeingDeleted } from "../users";
import { callbackUri, readDashboardReturn, returnLocation } from "./addresses";
import { assertBound } from "./binding";
import { type ConnectContext, ConnectError, toConnectError } from "./failure";
import { flowOf } from "./open";
import { addToTrace, stepAt } from "./traces";

/** How long a second request for the same callback waits for the first; longer than a token endpoint and `withNewToken` usually take. */
const DOUBLE_CLICK_MS = 20_000;

/** The `error` values for "the person declined" (RFC 6749, section 4.1.2.1; the `user_cancelled` ones are LinkedIn's). */
const DECLINED = new Set(["access_denied", "user_cancelled_login", "user_cancelled_authorize"]);

/** RFC 6749, appendix A.11: visible characters and spaces. No network's codes are nearly as long. */
const CODE = /^[\x20-\x7e]{1,4096}$/;

type Attempt = typeof connectAttempts.$inferSelect;
type CompletedAttempt = { accountId: number; location: string; context: ConnectContext };
type OAuthNetwork = Network & { connect: OAuthConnect };

/**
 * Handles the network's callback. Takes the attempt exactly once, and only in the browser that opened it, exchanges the
 * code and stores the account in one transaction. Returns where the browser goes next.
 * @param nonces the nonces of all attempts in this browser's cookies
 * @throws ConnectError
 */
export async function completeAttempt(
  platform: Platform,
  query: URLSearchParams,
  nonces: string[],
): Promise<CompletedAttempt> {
  const network = networkOf(platform);
  const state = query.get("state") ?? "";
  if (!isOAuth(network)) throw toConnectError(new StateExpired());
  const attempt = await takeAttempt(platform, state, nonces);
  if ("location" in attempt) return attempt;
  const steps: TraceStep[] = [];
  try {
    await addToTrace(db, attempt.traceCode, [stepAt("returned", { reason: describeError(query) })]);
    assertBound({ state, isNonceHash: flowOf(attempt).isNonceHash }, nonces);
    return await connectAccount(network, attempt, query, steps);
  } catch (error) {
    if (error instanceof PlatformError) await reportOperatorProblem(platform, error);
    throw await storeFailure(attempt, error, steps);
  }
}

function isOAuth(network: Network | undefined): network is OAuthNetwork {
  return network?.connect.kind === "oauth";
}

async function connectAccount(
  network: OAuthNetwork,
  attempt: Attempt,
  query: URLSearchParams,
  steps: TraceStep[],
): Promise<CompletedAttempt> {
  assertCode(network, query);
  await assertMayConnect(db, attempt.ownerId);
  const timed = stepTimer(steps);
  const tokens = await timed("exchange", () => exchange(network, attempt, query));
  await timed("permissions", async () => assertPermissions(network, tokens));
  const session = withQuotaCounting(networkSession(network, { accountId: "", username: "", tokens }), network);
  const profile = await timed("profile", () => withNewToken(network, () => network.profile(session)));
  const accountId = await timed("store", () => store(network, attempt, profile, tokens, steps));
  return completed(attempt, accountId);
}

/** Stores the account and completes the attempt and its trace, in one transaction. */
function store(
  network: Network,
  attempt: Attempt,
  profile: Profile,
  tokens: Tokens,
  steps: TraceStep[],
): Promise<number> {
  return db.transaction(async (tx) => {
    await assertNotBeingDeleted(tx, attempt.ownerId);
    await assertWantedAccount(tx, attempt, profile);
    const { id: accountId } = await storeAccount(tx, network, attempt.ownerId, profile, tokens);
    const [kept] = await tx
      .update(connectAttempts)
      .set({ completedAt: sql`now()`, accountId, flowSealed: null })
      .where(eq(connectAttempts.id, attempt.id))
      .returning({ id: connectAttempts.id });
    if (!kept) throw new StateExpired(); // a password reset ended it in the meantime
    await addToTrace(tx, attempt.traceCode, [...steps, stepAt("store")], { outcome: "connected", accountId });
    return accountId;
  });
}

function completed(attempt: Attempt, accountId: number): CompletedAttempt {
  return { accountId, location: returnLocation(attempt.redirectUri, accountId), context: contextOf(attempt, false) };
}

/** Records each step with its duration, and the reason if it fails. */
function stepTimer(steps: TraceStep[]) {
  return async <T>(step: TraceStep["step"], work: () => Promise<T>): Promise<T> => {
    const since = Date.now();
    try {
      const result = await work();
      steps.push(stepAt(step, { ms: Date.now() - since }));
      return result;
    } catch (error) {
      const { message, network } = toConnectError(error);
      steps.push(stepAt(step, { ms: Date.now() - since, reason: message, network }));
      throw error;
    }
  };
}

/** The callback's `error`, quoted only if it looks like a protocol name. */
function describeError(query: URLSearchParams): string | undefined {
  const error = query.get("error");
  if (error === null) return undefined;
  return /^[a-z0-9_.-]{1,64}$/i.test(error)
    ? `The network returned the error ${error}`
    : "The network returned an error";
}

/** @throws ConnectError if the person declined or the network sent no code */
function assertCode(network: Network, query: URLSearchParams): void {
  const error = query.get("error");
  if (error !== null && DECLINED.has(error))
    throw new ConnectError("denied", `Connecting ${network.name} was declined`);
  // Anybody can write such an address, so neither an error nor an invalid code is a failure of the network (502).
  const invalid = (message: string) => new ConnectError("network", message, { status: 400 });
  if (error !== null) throw invalid(`${network.name} sent an error instead of a code`);
  const code = query.get("code");
  if (!code) throw invalid(`${network.name} sent no code`);
  if (!CODE.test(code)) throw invalid(`${network.name} sent a code that is not valid`);
}

/** @throws AccessDenied, BeingDeleted if the user or partner was suspended or deleted since the link was opened */
export async function assertMayConnect(tx: Tx, ownerId: string): Promise<void> {
  const [row] = await tx
    .select({ deleting: users.deletingAt, user: users.suspendedAt, partner: applications.suspendedAt })
    .from(users)
    .leftJoin(partners, eq(partners.id, users.partnerId))
    .leftJoin(applications, eq(applications.clientId, partners.clientId))
    .where(eq(users.id, ownerId));
  if (!row || row.deleting) throw new BeingDeleted();
  if (row.user || row.partner) throw new AccessDenied();
}

/** @throws ConnectError if the link reconnects an account and the person chose another one, which must not be added unasked */
export async function assertWantedAccount(
  tx: Tx,
  { ownerId, platform, redirectUri }: Pick<Attempt, "ownerId" | "platform" | "redirectUri">,
  profile: Profile,
): Promise<void> {
  const wantedId = readDashboardReturn(redirectUri)?.reconnects;
  if (wantedId === undefined) return;
  const isWanted = or(eq(accounts.id, wantedId), eq(accounts.networkAccountId, profile.accountId));
  const known = await tx
    .select()
    .from(accounts)
    .where(
      and(eq(accounts.ownerId, ownerId), eq(accounts.platform, platform), isNull(accounts.disconnectedAt), isWanted),
    );
  const wanted = known.find(({ id }) => id === wantedId);
  if (!wanted || wanted.networkAccountId === profile.accountId) return;
  const other = { wanted: accountHandle(wanted), found: accountHandle(profile), isConnected: known.length > 1 };
  throw new ConnectError("other account", `${other.found} was chosen instead of ${other.wanted}`, { other });
}

function exchange(network: OAuthNetwork, attempt: Attempt, query: URLSearchParams): Promise<Tokens> {
  const flow = flowOf(attempt);
  return network.connect.exchange(appOf(network), {
    code: query.get("code") ?? "",
    issuer: query.get("iss") ?? undefined,
    redirectUri: callbackUri(network),
    verifier: flow.verifier,
    keep: flow.keep,
  });
}

/** @throws ConnectError if the person did not grant a permission that posting needs */
function assertPermissions(network: OAuthNetwork, { scopes }: Tokens): void {
  const { requiredScopes, scopePurposes } = network.connect;
  const missing = requiredScopes.filter((scope) => scopes && !scopes.includes(scope));
  if (missing.length === 0) return;
  throw new ConnectError(
    "missing permission",
    `${network.name} did not grant the permission to post (${missing.join(", ")})`,
    { missing: missing.map((scope) => ({ scope, purpose: scopePurposes[scope] ?? "publish" })) },
  );
}

async function takeAttempt(platform: Platform, state: string, nonces: string[]): Promise<Attempt | CompletedAttempt> {
  const byState = and(eq(connectAttempts.codeHash, sha256(state)), eq(connectAttempts.platform, platform));
  const inBrowser = nonces.length > 0 ? inArray(connectAttempts.nonceHash, nonces.map(sha256)) : sql`false`;
  const [taken] = await db
    .update(connectAttempts)
    .set({ consumedAt: sql`now()` })
    .where(and(byState, inBrowser, isNull(connectAttempts.consumedAt), gt(connectAttempts.expiresAt, sql`now()`)))
    .returning();
  if (taken) return taken;
  const earlier = await waitUntilFinished(and(byState, inBrowser));
  if (earlier?.completedAt && earlier.accountId !== null) {
    return completed(earlier, earlier.accountId); // the back button or a reload
  }
  if (earlier) {
    throw toConnectError(new StateExpired(), { traceCode: earlier.traceCode, context: contextOf(earlier, true) });
  }
  throw await errorForOtherBrowser(byState);
}

/** Why a browser that did not start the attempt cannot finish it. */
async function errorForOtherBrowser(byState: SQL | undefined): Promise<ConnectError> {
  const [known] = await db
    .select({ attempt: connectAttempts, isExpired: sql<boolean>`${connectAttempts.expiresAt} <= now()` })
    .from(connectAttempts)
    .where(byState);
  if (!known) return toConnectError(new StateExpired());
  const details = { traceCode: known.attempt.traceCode, context: contextOf(known.attempt, false) };
  if (known.isExpired) return toConnectError(new StateExpired(), details); // its cookie may have expired as well
  const message = "This connect was started in another browser";
  await addToTrace(db, details.traceCode, [stepAt("wrong browser", { reason: message })]);
  return new ConnectError("wrong browser", message, details);
}

/** The attempt, once the request that took it has finished: a double click waits for the first click's outcome. */
async function waitUntilFinished(which: SQL | undefined): Promise<Attempt | undefined> {
  for (const since = Date.now(); ; await sleep(100)) {
    const [attempt] = await db.select().from(connectAttempts).where(which);
    const isRunning = attempt?.consumedAt && !attempt.completedAt && !attempt.failure;
    if (!isRunning || Date.now() - since > DOUBLE_CLICK_MS) return attempt;
  }
}

function contextOf({ ownerId: owner, account, ...attempt }: Attempt, canRestart: boolean): ConnectContext {
  const { platform, redirectUri, language } = attempt;
  return { owner, platform, redirectUri, account: account ?? undefined, language, canRestart };
}

async function storeFailure(attempt: Attempt, error: unknown, steps: TraceStep[]): Promise<ConnectError> {
  const { traceCode } = attempt;
  const { failure, message, network, status, other, missing } = toConnectError(error);
  if (failure === "fault")
    log.error({ attempt: traceCode, error: error instanceof Error ? error.stack : String(error) }, message);
  else log.info({ attempt: traceCode, failure, answer: network }, message);
  const [kept] = await db
    .update(connectAttempts)
    .set({ failure: `${failure}: ${message}`, flowSealed: null })
    .where(eq(connectAttempts.id, attempt.id))
    .returning({ id: connectAttempts.id });
  // A password reset deletes the attempt. Whoever started it must not start another one.
  const canRestart = kept !== undefined && !(error instanceof BeingDeleted);
  const failed = new ConnectError(failure, message, {
    ...{ traceCode, context: contextOf(attempt, canRestart), network, other, missing },
    status: status === 400 ? status : undefined,
  });
  await addToTrace(db, traceCode, steps, { outcome: failure });
  return failed;
}

import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { reportOperatorProblem } from "../accounts";
import { applications, connectAttempts, db, partnerBranding, partners, type Tx, users } from "../db";
import { type SealedColumn, sealFor, unsealFrom } from "../db/sealed";
import { AccessDenied, StateExpired } from "../errors";
import { log } from "../log";
import { appOf, type Network, PlatformError } from "../networks";
import { chooseLanguage } from "../partners";
import { challengeOf, randomToken, sha256 } from "../secrets";
import { assertStillAllowed, type Lockout } from "../users";
import { callbackUri, connectableNetwork } from "./addresses";
import { newBinding } from "./binding";
import { type ConnectContext, type ConnectError, toConnectError } from "./failure";
import type { ConnectState } from "./state";
import { ATTEMPT_LIFE, beginTrace, newTraceCode, stepAt } from "./traces";

export type ConnectInput = Pick<ConnectState, "owner" | "sessionEpoch" | "platform" | "redirectUri" | "account"> & {
  jti: string;
  /** When the link was made. Absent without a link. */
  iat?: number;
  /** The link was opened after it expired. */
  isExpired?: boolean;
  /** The languages that the link and the browser ask for. */
  languages?: { uiLocales?: string | null; acceptLanguage?: string | null };
};

/** `url` is the network's page; `nonce` goes into this browser's cookie. */
export type OpenedAttempt = { id: string; url: string; context: ConnectContext; nonce?: string };

/** Shown before a connect starts, so that the person can check that this is their user. */
export type PendingConfirmation = { userName: string; context: ConnectContext };

/**
 * Starts an attempt in one browser: stores it under its own state and returns the network's address and the nonce that
 * ties the attempt to this browser.
 * @throws ConnectError if the link was used already, the user is gone, the user or partner is suspended, or the network
 *   is not available
 */
export function openAttempt(input: ConnectInput): Promise<OpenedAttempt> {
  return withUsableLink(input, (link) => startAttempt(input, link));
}

/**
 * Opens a link that a person has followed. If the partner requires a confirmation first, nothing is started and the
 * confirmation is returned.
 * @throws ConnectError as `openAttempt`
 */
export function openLink(input: ConnectInput): Promise<OpenedAttempt | PendingConfirmation> {
  return withUsableLink<OpenedAttempt | PendingConfirmation>(input, async (link) =>
    link.user.interstitial ? { userName: link.user.name, context: link.context } : startAttempt(input, link),
  );
}

type LinkUser = NonNullable<Awaited<ReturnType<typeof findLinkUser>>>;
type UsableLink = { user: LinkUser; context: ConnectContext; traceCode: string; startedAtMs: number };

/** Runs `work` if the link is valid and its user and partner may connect. Otherwise stores a failed trace and throws. */
async function withUsableLink<T>(input: ConnectInput, work: (link: UsableLink) => Promise<T>): Promise<T> {
  const traceCode = newTraceCode();
  const user = await findLinkUser(input.owner);
  const language = chooseLanguage({ ...input.languages, partner: user?.language });
  // An expired link must not turn into a fresh one: it may have been sent to someone else (session fixation).
  const isExpired = input.isExpired || isBeforeReset(input, user) || isBeforeRevocation(input, user);
  const context: ConnectContext = { ...input, language, canRestart: !isExpired && !user?.deletingAt };
  const startedAtMs = Date.now();
  try {
    if (!user || user.deletingAt || isExpired) throw new StateExpired();
    const usedBy = await traceOfUsedLink(input.jti);
    if (usedBy) {
      throw toConnectError(new StateExpired(), { traceCode: usedBy, context: { ...context, canRestart: false } });
    }
    if (user.suspendedAt || user.partnerSuspendedAt) throw new AccessDenied();
    return await work({ user, context, traceCode, startedAtMs });
  } catch (error) {
    if (error instanceof PlatformError) await reportOperatorProblem(input.platform, error);
    const failed = toConnectError(error, { traceCode: user && traceCode, context: user && context });
    if (user && failed.traceCode === traceCode) await storeFailedTrace(input, failed, startedAtMs);
    throw failed;
  }
}

/** Whoever held a link of the dashboard before the password was reset is not its person. */
function isBeforeReset({ sessionEpoch }: ConnectInput, user: LinkUser | undefined): boolean {
  return sessionEpoch !== undefined && sessionEpoch !== user?.sessionEpoch;
}

/** How long after all secrets were revoked a call that was under way may still make a link. */
export const UNDER_WAY_SECONDS = 1;

/** Whoever had a link when all secrets of its partner were revoked may have made it with a stolen secret. */
function isBeforeRevocation({ iat }: ConnectInput, partner: { revokedSeconds: number | null } | undefined): boolean {
  return iat !== undefined && iat <= (partner?.revokedSeconds ?? Number.NEGATIVE_INFINITY) + UNDER_WAY_SECONDS;
}

const revokedSeconds = sql<number | null>`extract(epoch from ${partners.secretsRevokedAt})::float8`;

/**
 * Until the transaction ends, no secrets of the user's partner are revoked, so a revocation finds the attempt and ends it.
 * @throws StateExpired if they were revoked after the link was made
 */
async function assertNotRevoked(tx: Tx, input: ConnectInput): Promise<void> {
  const [partner] = await tx
    .select({ revokedSeconds })
    .from(partners)
    .where(inArray(partners.id, tx.select({ id: users.partnerId }).from(users).where(eq(users.id, input.owner))))
    .for("share");
  if (isBeforeRevocation(input, partner)) throw new StateExpired();
}

async function findLinkUser(owner: string) {
  const [row] = await db
    .select({
      deletingAt: users.deletingAt,
      suspendedAt: users.suspendedAt,
      sessionEpoch: users.sessionEpoch,
      partnerSuspendedAt: applications.suspendedAt,
      language: partnerBranding.language,
      interstitial: partners.interstitial,
      revokedSeconds,
      name: users.name,
    })
    .from(users)
    .leftJoin(partners, eq(partners.id, users.partnerId))
    .leftJoin(applications, eq(applications.clientId, partners.clientId))
    .leftJoin(partnerBranding, eq(partnerBranding.partnerId, partners.id))
    .where(eq(users.id, owner));
  return row;
}

/** The trace code of the attempt that completed this link; undefined if none has. */
async function traceOfUsedLink(jti: string): Promise<string | undefined> {
  const [completed] = await db
    .select({ traceCode: connectAttempts.traceCode })
    .from(connectAttempts)
    .where(and(eq(connectAttempts.stateId, jti), isNotNull(connectAttempts.completedAt)));
  return completed?.traceCode;
}

/** The column with what an attempt must remember until its callback. */
const flowColumn: SealedColumn = {
  ...{ table: "connect_attempts", column: "flow_sealed", purpose: "connect attempt" },
  row: "encode(code_hash, 'hex')",
};
export const sealedAttemptColumns = [flowColumn];

/** `isNonceHash`: see `Binding`. */
type Flow = { verifier: string; keep: { [name: string]: string }; isNonceHash?: true };

/** @throws Error if the attempt has ended, and its flow was erased */
export function flowOf({ codeHash, flowSealed }: { codeHash: Buffer; flowSealed: Buffer | null }): Flow {
  if (!flowSealed) throw new Error("a connect attempt that has ended has no flow");
  return JSON.parse(unsealFrom(flowColumn, codeHash.toString("hex"), flowSealed));
}

async function startAttempt(input: ConnectInput, link: UsableLink): Promise<OpenedAttempt> {
  const { context, traceCode, startedAtMs } = link;
  const { jti, owner, sessionEpoch, platform, redirectUri, account } = input;
  const network = connectableNetwork(platform);
  const { state: code, nonce, isNonceHash } = newBinding(network);
  const verifier = randomToken();
  const { url, keep = {} } = await beginAtNetwork(network, code, verifier, account);
  const codeHash = sha256(code);
  const flow: Flow = { verifier, keep, isNonceHash };
  const id = await db.transaction(async (tx) => {
    await assertStillAllowed(tx, { id: owner, sessionEpoch });
    await assertNotRevoked(tx, input);
    const [attempt] = await tx
      .insert(connectAttempts)
      .values({
        ...{ traceCode, stateId: jti, ownerId: owner, platform, redirectUri, account, language: context.language },
        codeHash,
        nonceHash: nonce ? sha256(nonce) : null,
        flowSealed: sealFor(flowColumn, codeHash.toString("hex"), JSON.stringify(flow)),
        expiresAt: sql`now() + ${ATTEMPT_LIFE}`,
      })
      .returning({ id: connectAttempts.id });
    if (!attempt) throw new Error("the connect attempt was not stored");
    const opened = stepAt("opened", { ms: Date.now() - startedAtMs });
    await beginTrace(tx, { ...input, code: traceCode, steps: [opened] });
    return attempt.id;
  });
  return { id, url, context, nonce };
}

async function beginAtNetwork(
  network: Network,
  code: string,
  verifier: string,
  account?: string,
): Promise<{ url: string; keep?: { [name: string]: string } }> {
  const app = appOf(network);
  if (network.connect.kind === "bot") {
    const url = await network.connect.startUrl(app, code);
    return { url, keep: { url } }; // the dashboard's page shows this address
  }
  const redirectUri = callbackUri(network);
  const request = { state: code, redirectUri, challenge: challengeOf(verifier), verifier, account };
  return network.connect.begin(app, request);
}

/** Stores a trace for an attempt that failed before it started. */
async function storeFailedTrace(input: ConnectInput, failed: ConnectError, startedAtMs: number): Promise<void> {
  const { message, network, traceCode = "" } = failed;
  log.info({ attempt: traceCode, platform: input.platform, failure: failed.failure, answer: network }, message);
  const step = stepAt("opened", { ms: Date.now() - startedAtMs, reason: message, network });
  await beginTrace(db, { ...input, code: traceCode, steps: [step] }, failed).catch((error: unknown) =>
    log.error({ error: String(error) }, "could not store a connect trace"),
  );
}

/**
 * Forgets the connects of a user that have not finished, because someone else may have started them. Their pages would
 * offer that browser to start again. The traces stay.
 */
export const endConnectAttemptsOfUser: Lockout = async (tx, userId) => {
  await tx.delete(connectAttempts).where(and(eq(connectAttempts.ownerId, userId), isNull(connectAttempts.completedAt)));
  return [];
};

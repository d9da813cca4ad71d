import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { storeAccount } from "../accounts";
import { applications, connectAttempts, databaseNow, db, partners, users } from "../db";
import { env } from "../env";
import { AccessDenied, ApiError, BadRequest, StateExpired } from "../errors";
import { log } from "../log";
import { appOf, isOffered, type Network, networkOf, PlatformError, sessionOf } from "../networks";
import { type Platform, platforms } from "../platforms";
import { challengeOf, digestOf, randomToken, seal, unseal } from "../secrets";
import { assertStays, BeingDeleted } from "../users";
import { type ConnectState, connectUrl } from "./state";

/** How long a person may take on the network's own pages. */
const LIFE = sql`now() + interval '15 minutes'`;
/** Longer than a network's token endpoint usually takes. */
const DOUBLE_CLICK_MS = 10_000;

export type Attempt = typeof connectAttempts.$inferSelect;
export type OpenedAttempt = { id: string; url: string; nonce?: string };

/** Why a connect did not come about; the page's words are chosen by it. */
export type Failure = "denied" | "missing permission" | "network" | "account in use" | "wrong browser" | "expired";

/** A connect attempt ended without an account. `traceCode` finds it again. */
export class ConnectFailed extends Error {
  constructor(
    readonly failure: Failure,
    readonly status: 400 | 402 | 403 | 410 | 502,
    message: string,
    readonly traceCode?: string,
    readonly attempt?: Attempt,
  ) {
    super(message);
  }
}

type Wish = Pick<ConnectState, "owner" | "platform" | "redirectUri"> & { jti: string };

/**
 * Begins one browser's attempt to connect: remembers it under a state of its own and answers where the person goes, with
 * the secret that ties the attempt to this browser.
 * @throws StateExpired where the link was used already or its user is gone; AccessDenied where the user is suspended
 */
export async function openAttempt({ jti, owner, platform, redirectUri }: Wish): Promise<OpenedAttempt> {
  const network = connectable(platform);
  const [row] = await db
    .select({ user: users, partnerSuspendedAt: applications.suspendedAt })
    .from(users)
    .leftJoin(partners, eq(partners.id, users.partnerId))
    .leftJoin(applications, eq(applications.clientId, partners.clientId))
    .where(eq(users.id, owner));
  const [spent] = await db
    .select({ id: connectAttempts.id })
    .from(connectAttempts)
    .where(and(eq(connectAttempts.stateId, jti), sql`${connectAttempts.completedAt} is not null`));
  if (!row || spent) throw new StateExpired();
  if (row.user.deletingAt) throw new BeingDeleted();
  if (row.user.suspendedAt || row.partnerSuspendedAt) throw new AccessDenied();

  const code = randomToken();
  const verifier = randomToken();
  const nonce = network.connect.kind === "oauth" ? randomToken() : undefined;
  const begun = await begin(network, code, verifier).catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error;
    log.warn({ platform, answer: error.answer }, error.message);
    throw new ConnectFailed("network", 502, error.message);
  });
  const [attempt] = await db
    .insert(connectAttempts)
    .values({
      traceCode: randomToken(6).replace(/[-_]/g, "x").toUpperCase(),
      stateId: jti,
      ownerId: owner,
      platform,
      redirectUri,
      codeHash: digestOf(code),
      nonceHash: nonce ? digestOf(nonce) : null,
      flowSealed: seal(
        "connect attempt",
        digestOf(code).toString("hex"),
        JSON.stringify({ verifier, keep: begun.keep ?? {} }),
      ),
      expiresAt: LIFE,
    })
    .returning();
  if (!attempt) throw new Error("the connect attempt was not stored");
  return { id: attempt.id, url: begun.url, nonce };
}

async function begin(
  network: Network,
  code: string,
  verifier: string,
): Promise<{ url: string; keep?: { [name: string]: string } }> {
  const app = appOf(network);
  if (network.connect.kind === "bot") {
    const url = await network.connect.startUrl(app, code);
    return { url, keep: { url } }; // for the page that shows it
  }
  const redirectUri = callbackUri(network);
  return network.connect.begin(app, { state: code, redirectUri, challenge: challengeOf(verifier), verifier });
}

/** Where a network sends the browser back to; a path of its own for each, so that one cannot answer for another. */
export function callbackUri({ platform, connect }: Network): string {
  const { loopbackAddress } = connect.kind === "oauth" ? connect : {};
  return `${loopbackAddress ? appUrlAt(loopbackAddress) : env.appUrl}/oauth/connect/callback/${platforms[platform]}`;
}

/** Our own address; on this machine by number where it is set by name. */
function appUrlAt(loopbackAddress: string): string {
  const url = new URL(env.appUrl);
  if (url.hostname === "localhost") url.hostname = loopbackAddress;
  return url.origin;
}

/**
 * Where a connect link has to be opened instead: a network that sends people back to this machine by number would not
 * find the cookie that was set under its name. Undefined where the browser is at the right place.
 * @param host the Host header, compared and never used as an address
 */
export function rightPlace(platform: Platform, sealed: string, host: string | null): string | undefined {
  const { origin, host: right } = new URL(callbackUri(connectable(platform)));
  if (origin === env.appUrl || host === right) return undefined;
  return `${origin}/oauth/connect?whitelabel_state=${sealed}`;
}

/**
 * The network's callback: takes the attempt exactly once, and only in the browser that opened it, exchanges the code and
 * stores the account, all or nothing. Answers where the browser goes.
 * @param nonces the secrets of all attempts that this browser has cookies for
 * @throws ConnectFailed
 */
export async function completeAttempt(
  platform: Platform,
  query: URLSearchParams,
  nonces: string[],
): Promise<{ accountId: number; location: string }> {
  const network = networkOf(platform);
  const state = query.get("state") ?? "";
  if (network?.connect.kind !== "oauth") throw expired();
  const attempt = await consume(platform, state, nonces);
  if ("location" in attempt) return attempt;
  if (query.get("error") !== null || query.get("code") === null) {
    const denied = query.get("error") !== null;
    throw await failed(
      attempt,
      denied ? "denied" : "network",
      denied ? 403 : 502,
      denied ? `Connecting ${network.name} was declined` : `${network.name} sent no code`,
    );
  }
  const flow = JSON.parse(
    unseal("connect attempt", digestOf(state).toString("hex"), attempt.flowSealed ?? Buffer.alloc(0)),
  );
  try {
    const app = appOf(network);
    const tokens = await network.connect.exchange(app, {
      code: query.get("code") ?? "",
      issuer: query.get("iss") ?? undefined,
      redirectUri: callbackUri(network),
      verifier: flow.verifier,
      keep: flow.keep,
    });
    const missing = network.connect.requiredScopes.filter((scope) => tokens.scopes && !tokens.scopes.includes(scope));
    if (missing.length > 0) {
      throw await failed(
        attempt,
        "missing permission",
        403,
        `${network.name} did not give the permission to post (${missing.join(", ")})`,
      );
    }
    const profile = await network.profile(sessionOf(network, { accountId: "", username: "", tokens }));
    const accountId = await db.transaction(async (tx) => {
      await assertStays(tx, attempt.ownerId);
      const account = await storeAccount(tx, network, attempt.ownerId, profile, tokens);
      await tx
        .update(connectAttempts)
        .set({ completedAt: sql`now()`, accountId: account.id, step: "completed", flowSealed: null })
        .where(eq(connectAttempts.id, attempt.id));
      return account.id;
    });
    return { accountId, location: await locationOf(attempt, accountId) };
  } catch (error) {
    throw await explained(attempt, network, error);
  }
}

async function consume(
  platform: Platform,
  state: string,
  nonces: string[],
): Promise<Attempt | { accountId: number; location: string }> {
  const byState = and(eq(connectAttempts.codeHash, digestOf(state)), eq(connectAttempts.platform, platform));
  const inBrowser = nonces.length > 0 ? inArray(connectAttempts.nonceHash, nonces.map(digestOf)) : sql`false`;
  const [taken] = await db
    .update(connectAttempts)
    .set({ consumedAt: sql`now()`, step: "callback" })
    .where(and(byState, inBrowser, isNull(connectAttempts.consumedAt), gt(connectAttempts.expiresAt, sql`now()`)))
    .returning();
  if (taken) return taken;
  const [known] = await db.select().from(connectAttempts).where(byState);
  const mine = await settled(and(byState, inBrowser));
  if (mine?.completedAt && mine.accountId !== null) {
    return { accountId: mine.accountId, location: await locationOf(mine, mine.accountId) }; // the back button, or a reload
  }
  if (known && !mine) {
    throw new ConnectFailed("wrong browser", 403, "This connect was begun in another browser", known.traceCode);
  }
  throw expired(mine);
}

/** The attempt, once whoever took it is done with it: a double click waits for the first one's outcome. */
async function settled(which: SQL | undefined): Promise<Attempt | undefined> {
  for (const since = Date.now(); ; await sleep(100)) {
    const [attempt] = await db.select().from(connectAttempts).where(which);
    const underWay = attempt?.consumedAt && !attempt.completedAt && !attempt.failure;
    if (!underWay || Date.now() - since > DOUBLE_CLICK_MS) return attempt;
  }
}

function expired(attempt?: Attempt): ConnectFailed {
  return new ConnectFailed("expired", 410, new StateExpired().message, attempt?.traceCode, attempt);
}

/** A partner's `redirectUri` goes out byte for byte; only the dashboard's own learns which account it was. */
async function locationOf(attempt: Attempt, accountId: number): Promise<string> {
  return attempt.redirectUri === dashboardReturn()
    ? `${attempt.redirectUri}?connected=${accountId}`
    : attempt.redirectUri;
}

/** Where the dashboard's own connect links end. */
export function dashboardReturn(): string {
  return `${env.appUrl}/accounts`;
}

async function failed(
  attempt: Attempt,
  failure: Failure,
  status: ConnectFailed["status"],
  message: string,
): Promise<ConnectFailed> {
  await db
    .update(connectAttempts)
    .set({ failure: `${failure}: ${message}`, flowSealed: null })
    .where(eq(connectAttempts.id, attempt.id));
  return new ConnectFailed(failure, status, message, attempt.traceCode, attempt);
}

async function explained(attempt: Attempt, network: Network, error: unknown): Promise<unknown> {
  if (error instanceof ConnectFailed) return error;
  if (isUniqueViolation(error)) return failed(attempt, "expired", 410, new StateExpired().message); // another tab finished first
  if (error instanceof BeingDeleted) return failed(attempt, "expired", 410, error.message);
  if (error instanceof ApiError && error.status === 402) return failed(attempt, "account in use", 402, error.message);
  if (error instanceof PlatformError) {
    log.warn({ attempt: attempt.traceCode, answer: error.answer }, error.message);
    return failed(attempt, "network", 502, error.message);
  }
  log.error({ attempt: attempt.traceCode, error: String(error) }, `connecting ${network.name} failed`);
  return failed(attempt, "network", 502, `Connecting ${network.name} did not work`);
}

/** A fresh link for the same wish, for a page's "start again". */
export async function restartUrl(attempt: Attempt): Promise<string> {
  const { ownerId, platform, redirectUri } = attempt;
  return connectUrl({ owner: ownerId, platform, redirectUri }, await databaseNow());
}

/** @throws BadRequest where the platform is not one that can be connected here and now */
export function connectable(platform: Platform): Network {
  const network = networkOf(platform);
  if (!network || !isOffered(platform)) throw new BadRequest(`platform cannot be connected here yet: ${platform}`);
  return network;
}

/** PostgreSQL's 23505, however deep the query layer wraps it. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "23505") || isUniqueViolation(error.cause);
}

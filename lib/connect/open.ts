import { and, eq, isNotNull, sql } from "drizzle-orm";
import { applications, connectAttempts, db, partnerBranding, partners, users } from "../db";
import { AccessDenied, StateExpired } from "../errors";
import { log } from "../log";
import { appOf, type Network } from "../networks";
import { challengeOf, digestOf, randomToken, seal } from "../secrets";
import { callbackUri, connectable } from "./addresses";
import { asFailure, type ConnectFailed, type Whose } from "./failure";
import { languageFor } from "./languages";
import { play } from "./play";
import type { ConnectState } from "./state";
import { ATTEMPT_LIFE, beginTrace, newTraceCode, stepAt } from "./traces";

export type OpenedAttempt = { id: string; url: string; whose: Whose; nonce?: string };

/** What is asked before a connect begins: whether this is the user that the person thinks of. */
export type Question = { userName: string; whose: Whose };

export type Wish = Pick<ConnectState, "owner" | "platform" | "redirectUri" | "account"> & {
  jti: string;
  /** The link was opened after its time. */
  isPast?: boolean;
  /** Which languages the link and the browser ask for. */
  speaks?: { uiLocales?: string | null; acceptLanguage?: string | null };
};

/**
 * Begins one browser's attempt to connect: remembers it under a state of its own and answers where the person goes, with
 * the secret that ties the attempt to this browser.
 * @throws ConnectFailed where the link was used already or its user is gone, where somebody is suspended, and where the
 *   network is not there
 */
export function openAttempt(wish: Wish): Promise<OpenedAttempt> {
  return opening(wish, (link) => begin(wish, link));
}

/**
 * The same for a link that somebody has just followed: where the user's partner wants its people asked first, nothing is
 * begun, and what to ask is answered.
 * @throws ConnectFailed as `openAttempt`
 */
export function openOrAsk(wish: Wish): Promise<OpenedAttempt | Question> {
  return opening<OpenedAttempt | Question>(wish, async (link) =>
    link.user.interstitial ? { userName: link.user.name, whose: link.whose } : begin(wish, link),
  );
}

type User = NonNullable<Awaited<ReturnType<typeof userOf>>>;
type Opening = { user: User; whose: Whose; code: string; since: number };

/** Does the rest where the link is good, and its user and partner may connect; else says why not, and keeps that. */
async function opening<T>(wish: Wish, rest: (opening: Opening) => Promise<T>): Promise<T> {
  const code = newTraceCode();
  const user = await userOf(wish.owner);
  const language = languageFor({ ...wish.speaks, partner: user?.language });
  // An old link must not become a new one: whoever sent it may have sent it to somebody else (section 2, session fixation).
  const whose: Whose = { ...wish, language, canRestart: !wish.isPast && !user?.deletingAt };
  const since = Date.now();
  try {
    if (!user || user.deletingAt || wish.isPast) throw new StateExpired();
    const spent = await traceOfSpent(wish.jti);
    if (spent) throw asFailure(new StateExpired(), { traceCode: spent, whose: { ...whose, canRestart: false } });
    if (user.suspendedAt || user.partnerSuspendedAt) throw new AccessDenied();
    return await rest({ user, whose, code, since });
  } catch (error) {
    const failed = asFailure(error, { traceCode: user && code, whose: user && whose });
    if (user && failed.traceCode === code) await keepFailed(wish, failed, since);
    throw failed;
  }
}

async function userOf(owner: string) {
  const [row] = await db
    .select({
      deletingAt: users.deletingAt,
      suspendedAt: users.suspendedAt,
      partnerSuspendedAt: applications.suspendedAt,
      language: partnerBranding.language,
      interstitial: partners.interstitial,
      name: users.name,
      rehearses: users.rehearses,
    })
    .from(users)
    .leftJoin(partners, eq(partners.id, users.partnerId))
    .leftJoin(applications, eq(applications.clientId, partners.clientId))
    .leftJoin(partnerBranding, eq(partnerBranding.partnerId, partners.id))
    .where(eq(users.id, owner));
  return row;
}

/** The trace of the attempt that a link has completed; undefined where it has not. */
async function traceOfSpent(jti: string): Promise<string | undefined> {
  const [spent] = await db
    .select({ code: connectAttempts.traceCode })
    .from(connectAttempts)
    .where(and(eq(connectAttempts.stateId, jti), isNotNull(connectAttempts.completedAt)));
  return spent?.code;
}

async function begin(wish: Wish, { user, whose, code: traceCode, since }: Opening): Promise<OpenedAttempt> {
  const { language } = whose;
  const { jti, owner, platform, redirectUri } = wish;
  const network = connectable(platform);
  const code = randomToken();
  const verifier = randomToken();
  const nonce = network.connect.kind === "oauth" ? randomToken() : undefined;
  const begun = await askNetwork(network, code, verifier, wish.account);
  const url = user.rehearses ? await play(owner, network, begun.url) : begun.url;
  const flow = JSON.stringify({ verifier, keep: begun.keep ?? {} });
  const id = await db.transaction(async (tx) => {
    const [attempt] = await tx
      .insert(connectAttempts)
      .values({
        ...{ traceCode, stateId: jti, ownerId: owner, platform, redirectUri, language },
        account: wish.account,
        codeHash: digestOf(code),
        nonceHash: nonce ? digestOf(nonce) : null,
        flowSealed: seal("connect attempt", digestOf(code).toString("hex"), flow),
        expiresAt: sql`now() + ${ATTEMPT_LIFE}`,
      })
      .returning({ id: connectAttempts.id });
    if (!attempt) throw new Error("the connect attempt was not stored");
    await beginTrace(tx, { ...wish, code: traceCode, steps: [stepAt("opened", { ms: Date.now() - since })] });
    return attempt.id;
  });
  return { id, url, whose, nonce };
}

async function askNetwork(
  network: Network,
  code: string,
  verifier: string,
  account?: string,
): Promise<{ url: string; keep?: { [name: string]: string } }> {
  const app = appOf(network);
  if (network.connect.kind === "bot") {
    const url = await network.connect.startUrl(app, code);
    return { url, keep: { url } }; // for the page that shows it
  }
  const redirectUri = callbackUri(network);
  const request = { state: code, redirectUri, challenge: challengeOf(verifier), verifier, account };
  return network.connect.begin(app, request);
}

/** An attempt that ended before it began leaves a trace all the same. */
async function keepFailed(wish: Wish, failed: ConnectFailed, since: number): Promise<void> {
  const { message: says, network, traceCode = "" } = failed;
  log.info({ attempt: traceCode, platform: wish.platform, failure: failed.failure, answer: network }, says);
  const step = stepAt("opened", { ms: Date.now() - since, says, network });
  await beginTrace(db, { ...wish, code: traceCode, steps: [step] }, failed).catch((error: unknown) =>
    log.error({ error: String(error) }, "a connect trace could not be kept"),
  );
}

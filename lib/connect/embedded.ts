import { randomUUID } from "node:crypto";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { listAccounts } from "../accounts";
import {
  applications,
  connectSessions,
  databaseNow,
  db,
  partners,
  type SessionAppearance,
  type SessionContent,
  users,
} from "../db";
import { env, isLoopback } from "../env";
import { parseUrl } from "../env/parse-url";
import { AccessDenied, ApiError, BadRequest, Conflict, NotFound } from "../errors";
import { isOffered, networkOf } from "../networks";
import { accentOf, type Branding, brandingProblems, findBrandingForUser } from "../partners";
import type { Platform } from "../platforms";
import { randomToken, sha256 } from "../secrets";
import { connectableNetwork } from "./addresses";
import { UNDER_WAY_SECONDS } from "./open";
import { connectUrl } from "./state";
import { type ConnectOutcome, findTraceOfLink } from "./traces";

/**
 * The lists of accounts and webhooks that a partner's page shows in a frame. The partner's backend creates a session for one of
 * its users and gives the session's token to its page. The page passes the token to the frame, which exchanges it once for a token
 * of its own (ADR 50). The frame sends no cookies: browsers block those of a frame from another site.
 */

const SESSION_SECONDS = 600;
/** The last page of a connect window that the frame opened. This page closes the window. */
export const embeddedReturn = () => `${env.appUrl}/embed/connected`;

/** What a partner's backend chooses for a session. `origins` are those of the pages that may show the frame. */
export type SessionTerms = {
  shows?: SessionContent;
  origins: string[];
  networks?: Platform[];
  appearance?: SessionAppearance;
};

/** A session as its frame shows it. */
export type EmbeddedSession = {
  id: string;
  shows: SessionContent;
  origins: string[];
  appearance: SessionAppearance;
  branding: Branding | undefined;
  hasEnded: boolean;
};

export type EmbeddedAccount = {
  id: number;
  platform: Platform;
  /** The name of the network. */
  network: string;
  username: string;
  displayName: string;
  avatarUrl?: string;
  needsReconnect: boolean;
  /** Whether the frame can connect it again: partners connect some networks only. */
  canReconnect: boolean;
};

/** What the frame lists. */
export type EmbeddedList = {
  networks: { platform: Platform; name: string }[];
  accounts: EmbeddedAccount[];
};

/** The outcome of a window, with the code to quote. */
export type EmbeddedAttempt = {
  outcome: ConnectOutcome | "not opened";
  /** The name of the network. */
  network?: string;
  code?: string;
  accountId?: number;
};

/** 401: the token of the frame is wrong, or its session has ended. */
export class SessionEnded extends ApiError {
  constructor() {
    super(401, "This session has ended or its token is wrong. Create a new one with POST /v1/connect/sessions");
  }
}

/** Returns why an origin cannot be allowed, as the rest of a sentence; undefined if it can. */
export function originProblem(origin: string): string | undefined {
  const url = origin.length <= 200 && /^https?:\/\//.test(origin) ? parseUrl(origin) : undefined;
  if (!url) return "must be the origin of a page, such as https://app.example.com";
  const { origin: normal, protocol, hostname } = url;
  if (/[;,*\s]/.test(hostname)) return "must name one host"; // these characters separate or widen the sources of a policy
  if (normal !== origin) return `must be an origin without a path: ${normal}`;
  return protocol === "https:" || isLoopback(origin) ? undefined : "must be https (http only on a loopback host)";
}

/** @returns the token for the partner's page, which is not stored, and when it ends
 * @throws BadRequest with every problem of the terms */
export async function createConnectSession(
  ownerId: string,
  { shows = "accounts", origins, networks, appearance = {} }: SessionTerms,
): Promise<{ id: string; clientToken: string; expiresAt: string }> {
  const problems = brandingProblems(appearance).map((problem) => `appearance.${problem}`);
  if (networks && shows !== "accounts") problems.push("networks is only for a session that shows accounts");
  if (problems.length > 0) throw new BadRequest(...problems);
  for (const platform of networks ?? []) connectableNetwork(platform);
  const id = randomUUID();
  const clientToken = `${id}.${randomToken()}`;
  const [row] = await db
    .insert(connectSessions)
    .values({
      ...{ id, ownerId, shows, origins: [...new Set(origins)], platforms: networks ?? null, appearance },
      tokenHash: sha256(clientToken),
      expiresAt: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
    })
    .returning({ expiresAt: connectSessions.expiresAt });
  if (!row) throw new Error("the connect session was not stored");
  return { id, clientToken, expiresAt: row.expiresAt };
}

/** The session with this id and content, even after its end; undefined if there is none. */
export async function findConnectSession(id: string, shows: SessionContent): Promise<EmbeddedSession | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const [row] = await db
    .select({ session: connectSessions, hasEnded: sql<boolean>`${connectSessions.expiresAt} <= now()` })
    .from(connectSessions)
    .where(and(eq(connectSessions.id, id), eq(connectSessions.shows, shows)));
  if (!row) return undefined;
  const { origins, appearance, ownerId } = row.session;
  const branding = await findBrandingForUser(ownerId);
  return {
    id,
    shows,
    origins,
    appearance,
    branding: branding && withAccent(branding, appearance),
    hasEnded: row.hasEnded,
  };
}

/** The partner's branding with the accent of the session. */
function withAccent(branding: Branding, { accent, accentDark }: SessionAppearance): Branding {
  return accent ? { ...branding, accent: accentOf(accent, accentDark) } : branding;
}

/**
 * Exchanges the token of the partner's page for the frame's own token. Works once, so a copied token is useless.
 * @param origin of the page that passed the token, as the browser reported it to the frame
 * @throws SessionEnded; Conflict if the token was used already; AccessDenied
 */
export async function openConnectSession(
  id: string,
  { clientToken, origin, shows = "accounts" }: { clientToken: string; origin: string; shows?: SessionContent },
): Promise<{ token: string; list?: EmbeddedList }> {
  if (!z.uuid().safeParse(id).success) throw new SessionEnded();
  const token = randomToken();
  const isSession = and(eq(connectSessions.id, id), eq(connectSessions.shows, shows));
  const mine = and(isSession, eq(connectSessions.tokenHash, sha256(clientToken)));
  const [session] = await db.select({ origins: connectSessions.origins }).from(connectSessions).where(mine);
  if (!session) throw new SessionEnded();
  if (!session.origins.includes(origin))
    throw new AccessDenied("The page's origin is not one of the origins of this session");
  const [opened] = await db
    .update(connectSessions)
    .set({ frameTokenHash: sha256(token) })
    .where(and(mine, isNull(connectSessions.frameTokenHash), gt(connectSessions.expiresAt, sql`now()`)))
    .returning({ id: connectSessions.id });
  if (!opened) {
    const [used] = await db
      .select({ id: connectSessions.id })
      .from(connectSessions)
      .where(and(mine, gt(connectSessions.expiresAt, sql`now()`)));
    throw used
      ? new Conflict("This session was opened already. Each token works once: create a new session")
      : new SessionEnded();
  }
  const frame = await sessionOfFrame(id, token, shows);
  return shows === "accounts"
    ? { token, list: await listEmbedded(frame) }
    : { token: `${WEBHOOKS_TOKEN}${id}.${token}` };
}

type FrameSession = Awaited<ReturnType<typeof sessionOfFrame>>;

/** A call that was under way when all secrets of the partner were revoked may have stored its session afterwards. */
const isAfterRevocation = sql`(${partners.secretsRevokedAt} is null
  or ${connectSessions.createdAt} > ${partners.secretsRevokedAt} + make_interval(secs => ${UNDER_WAY_SECONDS}))`;

/** @throws SessionEnded; AccessDenied if the user or the partner is suspended */
async function sessionOfFrame(id: string, token: string, shows: SessionContent = "accounts") {
  const [row] = z.uuid().safeParse(id).success
    ? await db
        .select({
          ownerId: connectSessions.ownerId,
          platforms: connectSessions.platforms,
          client: applications.clientId,
          suspendedAt: users.suspendedAt,
          deletingAt: users.deletingAt,
          partnerSuspendedAt: applications.suspendedAt,
        })
        .from(connectSessions)
        .innerJoin(users, eq(users.id, connectSessions.ownerId))
        .innerJoin(partners, eq(partners.id, users.partnerId))
        .innerJoin(applications, eq(applications.clientId, partners.clientId))
        .where(
          and(
            eq(connectSessions.id, id),
            eq(connectSessions.shows, shows),
            eq(connectSessions.frameTokenHash, sha256(token)),
            gt(connectSessions.expiresAt, sql`now()`),
            isAfterRevocation,
          ),
        )
    : [];
  if (!row) throw new SessionEnded();
  if (row.suspendedAt || row.deletingAt || row.partnerSuspendedAt) throw new AccessDenied();
  return row;
}

/** The prefix of the token with which the list of webhooks calls the API. No other token has it. */
const WEBHOOKS_TOKEN = "frame.";

/**
 * The user for whom a list of webhooks calls the API; undefined for any other token.
 * @throws SessionEnded; AccessDenied if the user or the partner is suspended
 */
export async function ownerOfWebhooksFrame(token: string): Promise<string | undefined> {
  if (!token.startsWith(WEBHOOKS_TOKEN)) return undefined;
  const [, id = "", secret = ""] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token.slice(WEBHOOKS_TOKEN.length)) ?? [];
  return (await sessionOfFrame(id, secret, "webhooks")).ownerId;
}

/** The user for whom this token lists accounts; undefined if the list would be refused. */
export async function ownerOfAccountsFrame(id: string, token: string): Promise<string | undefined> {
  try {
    return (await sessionOfFrame(id, token)).ownerId;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * What the frame lists, and the outcome of the window with this ticket, if one is given.
 * @throws SessionEnded; AccessDenied
 */
export async function readEmbedded(
  id: string,
  token: string,
  ticket: string | null,
): Promise<EmbeddedList & { attempt?: EmbeddedAttempt }> {
  const session = await sessionOfFrame(id, token);
  const [list, attempt] = await Promise.all([listEmbedded(session), readAttempt(session, ticket)]);
  return { ...list, ...(attempt ? { attempt } : {}) };
}

async function readAttempt({ ownerId }: FrameSession, ticket: string | null): Promise<EmbeddedAttempt | undefined> {
  if (!z.uuid().safeParse(ticket).success || ticket === null) return undefined;
  const trace = await findTraceOfLink(ownerId, ticket);
  if (!trace) return { outcome: "not opened" };
  const { outcome, code, platform, account } = trace;
  return { outcome, code, network: networkOf(platform).name, ...(account ? { accountId: account.id } : {}) };
}

async function listEmbedded({ ownerId, platforms }: FrameSession): Promise<EmbeddedList> {
  const accounts = await listAccounts(ownerId);
  return {
    networks: (platforms ?? partnerPlatforms)
      .filter((platform) => isOffered(platform))
      .map((platform) => ({ platform, name: networkOf(platform).name })),
    accounts: accounts.map((account) => ({
      id: account.id,
      platform: account.platform,
      network: networkOf(account.platform).name,
      username: account.username,
      displayName: account.displayName,
      ...(account.avatarUrl ? { avatarUrl: account.avatarUrl } : {}),
      needsReconnect: account.state !== "ACTIVE",
      canReconnect: isConnectable(account.platform),
    })),
  };
}

/** What partners can connect (SPEC, "Partner (connect) endpoints", rule 2). */
export const partnerPlatforms = [
  ...(["INSTAGRAM", "FACEBOOK", "YOUTUBE", "TIKTOK", "X_TWITTER", "LINKEDIN", "THREADS"] as const),
];

function isConnectable(platform: Platform): boolean {
  return isOffered(platform) && partnerPlatforms.some((one) => one === platform);
}

/**
 * A connect link for one window of the frame, and the ticket under which the frame asks for the outcome.
 * @throws SessionEnded; AccessDenied; NotFound if the session does not offer this network
 */
export async function startEmbeddedConnect(
  id: string,
  token: string,
  platform: string,
): Promise<{ url: string; ticket: string }> {
  const session = await sessionOfFrame(id, token);
  const again = (await listAccounts(session.ownerId)).filter(({ state }) => state !== "ACTIVE");
  const offered = [...(session.platforms ?? partnerPlatforms), ...again.map((account) => account.platform)]
    .filter(isConnectable)
    .find((one) => one === platform);
  if (!offered) throw new NotFound("Network", platform);
  const ticket = randomUUID();
  const url = connectUrl(
    { jti: ticket, client: session.client, owner: session.ownerId, platform: offered, redirectUri: embeddedReturn() },
    await databaseNow(),
  );
  return { url, ticket };
}

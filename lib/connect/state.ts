import { randomUUID } from "node:crypto";
import { z } from "zod";
import { databaseNow } from "../db";
import { env } from "../env";
import { StateExpired } from "../errors";
import { type Platform, platformValues } from "../platforms";
import { fromBase64Url, isMacOf, macOf, toBase64Url } from "../secrets";
import { findUser } from "../users";
import type { ConnectContext } from "./failure";

/** How long a connect link is valid. */
const LIFE_SECONDS = 600;
const MAX_LENGTH = 4096;
const VERSION = "1";

/** The signed content of a connect link: who connects which network, and where the browser goes afterwards, byte for byte. */
export type ConnectState = {
  jti: string;
  /** The partner's client id; absent in the dashboard's own links. */
  client?: string;
  owner: string;
  /** The person's when the dashboard's own link was made: a password reset ends the link. Absent in a partner's links. */
  sessionEpoch?: number;
  platform: Platform;
  /** The account name, for networks that need it before the redirect. */
  account?: string;
  redirectUri: string;
  iat: number;
  exp: number;
  aud: string;
};

const State = z.strictObject({
  jti: z.uuid(),
  client: z.string().optional(),
  owner: z.uuid(),
  sessionEpoch: z.number().int().optional(),
  platform: z.enum(platformValues),
  account: z.string().min(1).max(300).optional(),
  redirectUri: z.string().min(1).max(2048),
  iat: z.number().int(),
  exp: z.number().int(),
  aud: z.string(),
});

/** A connect link: version.keyId.payload.HMAC-SHA256, signed with a key that is used for nothing else. */
export function connectUrl(
  input: Pick<ConnectState, "client" | "owner" | "sessionEpoch" | "platform" | "account" | "redirectUri"> & {
    jti?: string;
  },
  now: Date,
): string {
  const iat = Math.floor(now.getTime() / 1000);
  const state: ConnectState = { jti: randomUUID(), ...input, iat, exp: iat + LIFE_SECONDS, aud: env.appUrl };
  const payload = toBase64Url(Buffer.from(JSON.stringify(state)));
  const { keyId, mac } = macOf("connect state", `${VERSION}.${payload}`);
  return `${env.appUrl}/oauth/connect?whitelabel_state=${[VERSION, keyId, payload, mac].join(".")}`;
}

/**
 * Verifies and parses a link's state. Does not check its age; see `isLinkExpired`.
 * @throws StateExpired, the same error for forged, edited, foreign and unreadable states
 */
export function unsealConnectState(sealed: string | null): ConnectState {
  const parts = sealed && sealed.length <= MAX_LENGTH ? sealed.split(".") : [];
  const [version, keyId, payload, mac] = parts;
  if (parts.length !== 4 || version !== VERSION || !keyId || !payload || !mac) throw new StateExpired();
  if (!isMacOf("connect state", `${VERSION}.${payload}`, keyId, mac)) throw new StateExpired();
  const state = State.safeParse(JSON.parse(fromBase64Url(payload)?.toString("utf8") ?? "null"));
  if (!state.success || state.data.aud !== env.appUrl) throw new StateExpired();
  return state.data;
}

/** @param now the database's time */
export function isLinkExpired({ exp }: ConnectState, now: Date): boolean {
  return exp * 1000 <= now.getTime();
}

/** A new link with the same content, for "Start again"; undefined if the page may not offer it. */
export async function restartUrl(context: ConnectContext): Promise<string | undefined> {
  if (!context.canRestart) return undefined;
  const { owner, platform, redirectUri, account, language } = context;
  const sessionEpoch = (await findUser(owner))?.sessionEpoch;
  const url = connectUrl({ owner, sessionEpoch, platform, redirectUri, account }, await databaseNow());
  return language ? `${url}&ui_locales=${language}` : url;
}

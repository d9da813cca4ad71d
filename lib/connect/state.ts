import { randomUUID } from "node:crypto";
import { z } from "zod";
import { env } from "../env";
import { StateExpired } from "../errors";
import { type Platform, platformValues } from "../platforms";
import { fromBase64Url, isMacOf, macOf, toBase64Url } from "../secrets";

/** How long a connect link lives. */
const LIFE_SECONDS = 600;
const MAX_LENGTH = 4096;
const VERSION = "1";

/** What a connect link carries, sealed: who connects what, and where the browser goes afterwards, byte for byte. */
export type ConnectState = {
  jti: string;
  /** The partner's client id; absent for the dashboard's own links. */
  client?: string;
  owner: string;
  platform: Platform;
  /** Whose account it is, where the network has to know before it can ask. */
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
  platform: z.enum(platformValues),
  account: z.string().min(1).max(300).optional(),
  redirectUri: z.string().min(1).max(2048),
  iat: z.number().int(),
  exp: z.number().int(),
  aud: z.string(),
});

/** The address that opens the bridge: version.kid.payload.HMAC-SHA256, by a key that nothing else uses. */
export function connectUrl(
  wish: Pick<ConnectState, "client" | "owner" | "platform" | "account" | "redirectUri"> & { jti?: string },
  now: Date,
): string {
  const iat = Math.floor(now.getTime() / 1000);
  const state: ConnectState = { jti: randomUUID(), ...wish, iat, exp: iat + LIFE_SECONDS, aud: env.appUrl };
  const payload = toBase64Url(Buffer.from(JSON.stringify(state)));
  const { keyId, mac } = macOf("connect state", `${VERSION}.${payload}`);
  return `${env.appUrl}/oauth/connect?whitelabel_state=${[VERSION, keyId, payload, mac].join(".")}`;
}

/** @throws StateExpired, one answer for forged, edited, foreign and unreadable states; whether it is past is asked apart */
export function unsealState(sealed: string | null): ConnectState {
  const parts = sealed && sealed.length <= MAX_LENGTH ? sealed.split(".") : [];
  const [version, keyId, payload, mac] = parts;
  if (parts.length !== 4 || version !== VERSION || !keyId || !payload || !mac) throw new StateExpired();
  if (!isMacOf("connect state", `${VERSION}.${payload}`, keyId, mac)) throw new StateExpired();
  const state = State.safeParse(JSON.parse(fromBase64Url(payload)?.toString("utf8") ?? "null"));
  if (!state.success || state.data.aud !== env.appUrl) throw new StateExpired();
  return state.data;
}

/** Whether a state's time is over; `now` is the database's. */
export function isPast({ exp }: ConnectState, now: Date): boolean {
  return exp * 1000 <= now.getTime();
}

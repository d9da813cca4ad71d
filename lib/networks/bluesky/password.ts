import { decodeJwt } from "jose";
import { z } from "zod";
import { PlatformError } from "../errors";
import type { App, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { isHandle, normalizeHandle, resolveIdentity, serverOrigin } from "./identity";

const documentSchema = z.object({ service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })) });
const sessionSchema = z.object({
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  did: z.string(),
  didDoc: documentSchema.optional().catch(undefined),
});

/** The format of Bluesky's app passwords; it helps to reject main passwords. */
const APP_PASSWORD = /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/;
/** Lifetime of an access token that does not state it: two hours. */
const ACCESS_SECONDS = 7200;

type Credentials = { account: string; password: string; host?: string };

/**
 * Creates a session with an app password (docs.bsky.app/docs/api/com-atproto-server-create-session). Only the tokens are
 * stored; they are refreshed until the user revokes the app password.
 * @param credentials `account` is a handle or a DID; `host` is the account's server, if the name does not resolve to it
 */
export async function signIn(app: App, { account, password, host }: Credentials): Promise<Tokens> {
  if (!APP_PASSWORD.test(password)) {
    throw new PlatformError(
      "rejected",
      "This is not an app password (xxxx-xxxx-xxxx-xxxx). Create one in Bluesky's settings; never enter your main password",
    );
  }
  const given = normalizeHandle(account);
  if (!given.startsWith("did:") && !isHandle(given))
    throw new PlatformError("rejected", `No Bluesky account named ${account} was found`);
  const server = host === undefined ? (await resolveIdentity(app, given)).pds : serverOrigin(host);
  if (!server) throw new PlatformError("rejected", `This is not the address of a server: ${host}`);
  const answer = await app.fetch(`${server}/xrpc/com.atproto.server.createSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier: given, password }),
  });
  const session = await readAnswer("Bluesky", sessionSchema, answer);
  return tokensOf(session, serverOf(session.didDoc) ?? server);
}

/** Every refresh returns a new pair; for two hours the old refresh token returns the same new pair again. */
export async function refreshSession(app: App, tokens: Tokens): Promise<Tokens> {
  const { pds = "" } = tokens.extra ?? {};
  const answer = await app.fetch(`${pds}/xrpc/com.atproto.server.refreshSession`, {
    method: "POST",
    auth: { bearer: tokens.refreshToken ?? "" },
  });
  return tokensOf(await readAnswer("Bluesky", sessionSchema, answer), pds);
}

/** Ends this session; the app password stays valid. */
export async function deleteSession(app: App, tokens: Tokens): Promise<void> {
  const address = `${tokens.extra?.pds}/xrpc/com.atproto.server.deleteSession`;
  await app.fetch(address, { method: "POST", auth: { bearer: tokens.refreshToken ?? "" } });
}

function tokensOf({ accessJwt, refreshJwt, did }: z.output<typeof sessionSchema>, pds: string): Tokens {
  return { accessToken: accessJwt, refreshToken: refreshJwt, expiresAt: endOf(accessJwt), extra: { did, pds } };
}

function endOf(jwt: string): string {
  const usual = Date.now() / 1000 + ACCESS_SECONDS;
  try {
    return new Date((decodeJwt(jwt).exp ?? usual) * 1000).toISOString();
  } catch {
    return new Date(usual * 1000).toISOString();
  }
}

/** An entryway also signs in accounts of other servers; its answer then names the account's server. */
function serverOf(document: z.output<typeof documentSchema> | undefined): string | undefined {
  const service = document?.service.find(({ id }) => id.endsWith("#atproto_pds"));
  return typeof service?.serviceEndpoint === "string" ? serverOrigin(service.serviceEndpoint) : undefined;
}

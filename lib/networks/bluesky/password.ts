import { decodeJwt } from "jose";
import { z } from "zod";
import { PlatformError } from "../errors";
import type { App, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { isHandle, normalHandle, originOf, resolveIdentity } from "./identity";

const documentSchema = z.object({ service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })) });
const sessionSchema = z.object({
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  did: z.string(),
  didDoc: documentSchema.optional().catch(undefined),
});

/** As Bluesky makes them; the account's main password never has this form. */
const APP_PASSWORD = /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/;
/** An access token's two hours, where it does not say so itself. */
const ACCESS_SECONDS = 7200;

type Credentials = { account: string; password: string; host?: string };

/**
 * A session by an app password (docs.bsky.app/docs/api/com-atproto-server-create-session). Only the tokens are kept: they
 * renew themselves, and end when the person takes the app password back.
 * @param credentials `account` is a handle or a DID; `host` the account's server where its name does not lead there
 */
export async function signIn(app: App, { account, password, host }: Credentials): Promise<Tokens> {
  if (!APP_PASSWORD.test(password)) {
    throw new PlatformError(
      "rejected",
      "This is not an app password (xxxx-xxxx-xxxx-xxxx). Make one in Bluesky's settings; never give the main password",
    );
  }
  const given = normalHandle(account);
  if (!given.startsWith("did:") && !isHandle(given))
    throw new PlatformError("rejected", `Bluesky knows nobody by the name ${account}`);
  const server = host === undefined ? (await resolveIdentity(app, given)).pds : originOf(host);
  if (!server) throw new PlatformError("rejected", `This is not the address of a server: ${host}`);
  const answer = await app.fetch(`${server}/xrpc/com.atproto.server.createSession`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier: given, password }),
  });
  const session = await readAnswer("Bluesky", sessionSchema, answer);
  return tokensOf(session, serverOf(session.didDoc) ?? server);
}

/** Every refresh answers a new pair; the spent token answers the same pair for two more hours. */
export async function refreshSession(app: App, tokens: Tokens): Promise<Tokens> {
  const { pds = "" } = tokens.extra ?? {};
  const answer = await app.fetch(`${pds}/xrpc/com.atproto.server.refreshSession`, {
    method: "POST",
    auth: { bearer: tokens.refreshToken ?? "" },
  });
  return tokensOf(await readAnswer("Bluesky", sessionSchema, answer), pds);
}

/** Signs out: the app password stays, this session is over. */
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

/** An entrance signs people in whose accounts live elsewhere, and says where. */
function serverOf(document: z.output<typeof documentSchema> | undefined): string | undefined {
  const service = document?.service.find(({ id }) => id.endsWith("#atproto_pds"));
  return typeof service?.serviceEndpoint === "string" ? originOf(service.serviceEndpoint) : undefined;
}

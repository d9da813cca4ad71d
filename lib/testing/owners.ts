import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { api } from "../api";
import { db, users } from "../db";
import { env } from "../env";
import { createPartner, createPersonalToken, everyScope, type Scope } from "../oauth";
import { secretFor } from "../secrets";
import { createSession } from "../users";
import { assertAsDocumented } from "./contract";

/** Creates a person with a confirmed address who owns nothing. They have no password, because hashing one takes longer than most tests. */
export async function newOwner(name = "Test"): Promise<string> {
  const [row] = await db
    .insert(users)
    .values({ email: `${randomUUID()}@example.com`, name, emailConfirmedAt: sql`now()` })
    .returning();
  if (!row) throw new Error("the owner was not stored");
  return row.id;
}

type Headers = { [name: string]: string };

/** Calls the API with these headers on each request. A body that is not text is sent as JSON. */
export function client(headers: () => Promise<Headers>) {
  async function request(path: string, init: RequestInit & { headers?: Headers } = {}): Promise<Response> {
    const answer = await api.request(path, { ...init, headers: { ...(await headers()), ...init.headers } });
    await assertAsDocumented(path, init, answer);
    return answer;
  }
  const send = (method: string, path: string, body: unknown, extra: Headers) =>
    request(path, {
      method,
      headers: { "content-type": "application/json", ...extra },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return {
    request,
    get: (path: string, extra: Headers = {}) => request(path, { headers: extra }),
    delete: (path: string, extra: Headers = {}) => request(path, { method: "DELETE", headers: extra }),
    post: (path: string, body: unknown, extra: Headers = {}) => send("POST", path, body, extra),
    put: (path: string, body: unknown, extra: Headers = {}) => send("PUT", path, body, extra),
    patch: (path: string, body: unknown, extra: Headers = {}) => send("PATCH", path, body, extra),
  };
}

export type Client = ReturnType<typeof client>;

/** Calls the API as a person, with a personal token of every scope unless fewer are given. */
export function as(ownerId: string, scopes: Scope[] = everyScope): Client {
  let token: Promise<{ access_token: string }> | undefined;
  return client(async () => {
    token ??= createPersonalToken(ownerId, scopes);
    return { authorization: `Bearer ${(await token).access_token}` };
  });
}

/** Starts a session of this person without a password, and returns its cookie. */
export async function sessionCookie(ownerId: string): Promise<string> {
  const [row] = await db.select({ sessionEpoch: users.sessionEpoch }).from(users).where(eq(users.id, ownerId));
  const sid = row ? await createSession({ id: ownerId, ...row }, {}) : randomUUID();
  return `next-auth.session-token=${await encode({ token: { sub: ownerId, sid }, secret: secretFor("session") })}`;
}

/** A body of which something happens after its first bytes have arrived, and before the others. */
export function interruptedBody(bytes: Buffer, meanwhile: () => Promise<unknown>): ReadableStream<Uint8Array> {
  let isBegun = false;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      controller.enqueue(bytes.subarray(...(isBegun ? [9] : [0, 9])));
      if (isBegun) controller.close();
      else await meanwhile();
      isBegun = true;
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Calls the API with the dashboard's session cookie; `origin` is the header that the browser sends. */
export function signedInAs(ownerId: string, origin?: string): Client {
  let cookie: Promise<string> | undefined;
  return client(async () => {
    cookie ??= sessionCookie(ownerId);
    return { cookie: await cookie, ...(origin === undefined ? {} : { origin }) };
  });
}

/** Calls the API without any credential. */
export const nobody = client(async () => ({}));

/** Creates a partner. Its calls use a bearer token from the token endpoint. */
export async function newPartner() {
  const { clientId, clientSecret } = await createPartner("Test partner");
  const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const answer = await nobody.post("/oauth/token", { ...body, audience: env.baseUrl });
  const { access_token } = (await answer.json()) as { access_token: string };
  return { clientId, clientSecret, ...client(async () => ({ authorization: `Bearer ${access_token}` })) };
}

/** Returns the status and the body of a response, parsed if it is JSON. */
export async function readResponse(answer: Response | Promise<Response>): Promise<[status: number, body: unknown]> {
  const { status, ...rest } = { status: (await answer).status, text: await (await answer).text() };
  try {
    return [status, JSON.parse(rest.text)];
  } catch {
    return [status, rest.text];
  }
}

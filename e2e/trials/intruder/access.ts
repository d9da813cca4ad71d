import { expect } from "playwright/test";
import type { MailServer } from "../../../lib/mail/testing/smtp";
import { jsonOf, send, sendForm, sendJson } from "../http";
import { connectAccount, consent, newApplication, newPerson, refresh, signIn } from "../people";
import type { TrialContext } from "../trial";
import { browserWith, enter, reset, signUp, waitForMail } from "./person";
import { addAuthenticator } from "./sign-in";

/** A public address; no event is sent to it. */
const WEBHOOK = { url: "https://93.184.215.14/hook", events: ["post.completed"] };
const NEW_PASSWORD = "another long password";

type Page<T> = { items: T[] };
type Feed = { id: number; state: string; error?: string };

/** A feed whose items would be published at once on an account. */
const feedFor = (url: string, account: number) => {
  const on = {
    socialMediaAccountId: account,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: "{{title}}" }],
  };
  return { url, template: { isDraft: false, publications: [on] } };
};

/** The intruder signs up with somebody else's address, and waits. */
export async function resetOfUnconfirmed(
  { product, seed }: TrialContext,
  mails: MailServer,
  feedUrl: string,
): Promise<void> {
  const email = `victim-${seed}@example.com`;
  const intruder = await signUp(product, email, "the intruder's password");
  expect((await intruder.json("POST", "/v1/webhooks", WEBHOOK)).status).toBe(403);
  const account = await connectAccount(product, { email, headers: {} }, "X_TWITTER", `v${seed}`);
  expect((await intruder.json("POST", "/v1/feeds", feedFor(feedUrl, account))).status).toBe(403);
  const scheduledTime = new Date(Date.now() + 86_400_000).toISOString();
  const posts = [{ content: "Planned by the intruder" }];
  const publications = [{ socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts }];
  const { id } = jsonOf<{ id: number }>(await intruder.json("POST", "/v1/posts", { scheduledTime, publications }));
  const connect = await intruder.form("/oauth/connect/new", { platform: "X_TWITTER" });
  const link = (connect.headers.location ?? "").replace(product.url, "");
  await addAuthenticator(intruder);
  const half = await sendForm(product.url, "/sign-in", { email, password: "the intruder's password" });
  expect(half.headers.location, "the authenticator app is asked for").toContain("/sign-in/code");

  await reset(product, mails, email, NEW_PASSWORD);
  expect((await send(product.url, link)).status, "a connect link from before the reset").toBe(410);
  await waitForMail(mails, email, "password was changed");
  expect(await intruder.status()).toBe(401);
  // The reset removed the authenticator app: the new password is enough.
  const owner = await enter(product, email, NEW_PASSWORD);
  expect(jsonOf(await owner.get(`/v1/posts/${id}`))).toMatchObject({ overallStatus: "DRAFT" });
  expect(jsonOf(await owner.get("/v1/accounts"))).toMatchObject([{ id: account, state: "RECONNECT_REQUIRED" }]);
}

/** The intruder knows the password of a confirmed address, and creates everything that could outlast it. */
export async function resetOfConfirmed(
  { product, seed }: TrialContext,
  mails: MailServer,
  feedUrl: string,
): Promise<void> {
  const { url } = product;
  const person = await newPerson(product, `confirmed-${seed}@example.com`);
  const cookie = await signIn(product, person.email);
  const intruder = browserWith(product, cookie);
  const application = await newApplication(product);
  const { tokens } = await consent(product, application, cookie);
  const hook = jsonOf<{ id: number }>(await sendJson(url, "POST", "/v1/webhooks", WEBHOOK, person.headers));
  const grant = { authorization: `Bearer ${tokens.access_token}` };
  const account = await connectAccount(product, person, "X_TWITTER", `c${seed}`);
  const feeds: Feed[] = [jsonOf(await intruder.json("POST", "/v1/feeds", feedFor(feedUrl, account)))];
  for (const headers of [person.headers, grant]) {
    feeds.push(jsonOf(await sendJson(url, "POST", "/v1/feeds", feedFor(feedUrl, account), headers)));
    expect((await send(url, "/v1/posts", { headers })).status).toBe(200); // every cache knows the token
  }

  const page = await reset(product, mails, person.email, NEW_PASSWORD);
  expect(page).toContain(WEBHOOK.url);
  await waitForMail(mails, person.email, "password was changed");
  expect(await intruder.status()).toBe(401);
  for (const headers of [person.headers, grant]) {
    expect((await send(url, "/v1/posts", { headers })).status).toBe(401);
  }
  expect((await refresh(product, application, tokens.refresh_token)).status).toBe(400);
  const owner = await enter(product, person.email, NEW_PASSWORD);
  expect(jsonOf(await owner.get(`/v1/webhooks/${hook.id}`))).toMatchObject({ enabled: false });
  const stopped = feeds.map(({ id }) => ({
    id,
    state: "STOPPED",
    error: expect.stringContaining("password was reset"),
  }));
  expect(jsonOf(await owner.get("/v1/feeds"))).toMatchObject(stopped);
}

/** An application that was allowed must not delete or export the account, and must stop when it is revoked. */
export async function allowedApplication(
  { product, seed }: TrialContext,
  _: MailServer,
  feedUrl: string,
): Promise<void> {
  const person = await newPerson(product, `applications-${seed}@example.com`);
  const cookie = await signIn(product, person.email);
  const owner = browserWith(product, cookie);
  const application = await newApplication(product);
  const { tokens } = await consent(product, application, cookie);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const feed = feedFor(feedUrl, await connectAccount(product, person, "X_TWITTER", `a${seed}`));
  const theirs = jsonOf<Feed>(await sendJson(product.url, "POST", "/v1/feeds", feed, headers));
  const own = jsonOf<Feed>(await owner.json("POST", "/v1/feeds", feed));
  for (const path of ["/v1/me/export", "/v1/me/sessions", "/v1/me/applications"]) {
    expect((await send(product.url, path, { headers })).status).toBe(403);
  }
  for (const path of ["/v1/me", "/v1/me/sessions", `/v1/me/applications/${application.clientId}`]) {
    expect((await send(product.url, path, { method: "DELETE", headers })).status).toBe(403);
  }
  const { items } = jsonOf<Page<{ id: string }>>(await owner.get("/v1/me/applications"));
  expect(items.map(({ id }) => id)).toEqual([application.clientId]);
  expect((await owner.json("DELETE", `/v1/me/applications/${application.clientId}`)).status).toBe(204);
  expect((await send(product.url, "/v1/posts", { headers })).status).toBe(401);
  expect((await refresh(product, application, tokens.refresh_token)).status).toBe(400);
  expect(jsonOf(await owner.get("/v1/feeds"))).toMatchObject([
    { id: theirs.id, state: "STOPPED", error: expect.stringContaining("revoked the application") },
    { id: own.id, state: "ACTIVE" },
  ]);
}

/** A session that its owner ended, signed out of, or left behind with the old password, must not open anything again. */
export async function sessions({ product, seed }: TrialContext): Promise<void> {
  const { email } = await newPerson(product, `sessions-${seed}@example.com`);
  const [intruder, owner] = [await enter(product, email), await enter(product, email)];
  const { items } = jsonOf<Page<{ id: string; isCurrent: boolean }>>(await owner.get("/v1/me/sessions"));
  const other = items.filter(({ isCurrent }) => !isCurrent);
  expect(other).toHaveLength(1);
  expect((await owner.json("DELETE", `/v1/me/sessions/${other[0]?.id}`)).status).toBe(204);
  expect([await intruder.status(), await owner.status()]).toEqual([401, 200]);

  const again = await enter(product, email);
  const changed = await owner.form("/settings/password", { current: "a long password", password: NEW_PASSWORD });
  expect(changed.status).toBe(200);
  expect([await again.status(), await owner.status()]).toEqual([401, 200]);
  await owner.form("/sign-out", {});
  expect(await owner.status()).toBe(401);
}

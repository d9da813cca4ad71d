import { expect, test } from "@playwright/test";
import { type MailServer, startMailServer } from "../../lib/mail/testing/smtp";
import { ownPort } from "../../lib/testing/own-port";
import { type Receivers, startReceivers } from "../chaos/receivers";
import { fault } from "../chaos/rig";
import { type Product, startProduct } from "../setup/product";
import { jsonOf, send, sendForm, sendJson } from "../trials/http";
import { connectAccount, newPartner, newPerson, type Person } from "../trials/people";

/** A mail waits for a worker, an event for the log to be settled, and all of them for a busy machine. */
const SOON = { timeout: 60_000 };

let product: Product;
let post: MailServer;
let receivers: Receivers;

test.beforeAll(async () => {
  const port = await ownPort();
  [post, receivers] = await Promise.all([startMailServer(), startReceivers(port)]);
  product = await startProduct({ env: { SMTP_URL: post.url, EGRESS_ALLOW: `127.0.0.1+127.0.0.1+${port}` } });
});
test.afterAll(async () => {
  await product?.stop();
  await Promise.all([post?.stop(), receivers?.close()]);
});

const subjectsFor = (email: string) => post.for(email).map(({ subject }) => subject);

type Seen = { overallStatus: string; publications: { posts: { error?: string }[] }[] };

/** Publishes a post on X now; answers the schedule at its end. */
async function publish({ headers }: Person, socialMediaAccountId: number, content: string): Promise<Seen> {
  const publications = [{ socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content }] }];
  const body = { scheduledTime: new Date().toISOString(), publications };
  const { id } = jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/posts", body, headers));
  const read = async () => jsonOf<Seen>(await send(product.url, `/v1/posts/${id}`, { headers }));
  await expect.poll(async () => (await read()).overallStatus, SOON).toMatch(/COMPLETED|FAILED/);
  return read();
}

test("a post that is out, one that is not and an account that needs its person are each told of once, while they are wanted", async () => {
  const person = await newPerson(product, "ada@example.com");
  const account = await connectAccount(product, person, "X_TWITTER", "ada");
  await publish(person, account, "Ring the bells");
  await expect.poll(() => subjectsFor(person.email), SOON).toEqual(["Published: “Ring the bells”"]);
  const [success] = post.for(person.email);
  expect(success?.text).toContain("@ada on X: View the post");

  // Programs that look into mails open every address; only a press is a wish (RFC 8058).
  const { pathname, search } = new URL(
    /^List-Unsubscribe: <([^>]+)>/m.exec(success?.headers ?? "")?.[1] ?? product.url,
  );
  const isWanted = async () => {
    const answer = await send(product.url, "/v1/me/notifications", { headers: person.headers });
    return jsonOf<{ email: { postPublished: boolean } }>(answer).email.postPublished;
  };
  for (const method of ["GET", "HEAD"]) await send(product.url, pathname + search, { method });
  expect(await isWanted()).toBe(true);
  const pressed = await sendForm(
    product.url,
    pathname + search,
    { "List-Unsubscribe": "One-Click" },
    { origin: "null" },
  );
  expect([pressed.status, await isWanted()]).toEqual([200, false]);

  await publish(person, account, "Quietly");
  await fault(product, { operation: "publish", fault: "duplicate", times: 1 });
  const failed = await publish(person, account, "Loudly");
  await fault(product, { operation: "publish", fault: "revoke_token", times: 1 });
  await publish(person, account, "Nobody hears");
  await publish(person, account, "Nobody at all");
  const rest = ["“Loudly”", "“Nobody hears”", "“Nobody at all”"].map((text) => `Not published: ${text}`);
  const all = ["Published: “Ring the bells”", ...rest, "@ada on X needs to be connected again"];
  await expect.poll(() => subjectsFor(person.email).toSorted(), SOON).toEqual(all.toSorted());
  const about = post.for(person.email).find(({ subject }) => subject === rest[0]);
  expect(about?.text).toContain(failed.publications[0]?.posts[0]?.error ?? "no reason");
});

test("a partner's endpoint that wants no more is told of to its members, and nothing to its users", async () => {
  const [partner, member] = [await newPartner(product), await newPerson(product, "bob@example.com")];
  await product.carillon("partners", "add-member", "--partner", partner.clientId, "--user", member.email);
  const user = { externalUserId: "customer-1", name: "Cleo", email: "cleo@example.com" };
  const { headers } = partner;
  jsonOf(await sendJson(product.url, "POST", "/v1/connect/users", user, headers));
  const wanted = { postPublished: true, postFailed: true, accountReconnect: true, webhookDisabled: true };
  const theirs = { ...headers, "x-connect-external-user-id": user.externalUserId };
  const body = { email: wanted };
  const holds = jsonOf<{ email: object }>(await sendJson(product.url, "PUT", "/v1/me/notifications", body, theirs));
  expect(Object.values(holds.email)).toEqual([false, false, false, false]);

  const url = receivers.urlOf("/gone/1");
  for (const whose of [theirs, headers]) {
    const wish = { url, events: ["post.completed"] };
    const { id } = jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/webhooks", wish, whose));
    jsonOf(await sendJson(product.url, "POST", `/v1/webhooks/${id}/test`, {}, whose));
    const read = async () =>
      jsonOf<{ enabled: boolean }>(await send(product.url, `/v1/webhooks/${id}`, { headers: whose }));
    await expect.poll(read, SOON).toMatchObject({ enabled: false });
  }
  await expect
    .poll(() => subjectsFor(member.email), SOON)
    .toEqual([`A webhook of Trial partner was switched off: ${url}`]);
  expect(post.for(member.email)[0]?.text).toContain(`/console/${partner.clientId}/webhooks\n`);
  expect(post.for(user.email)).toEqual([]);
});

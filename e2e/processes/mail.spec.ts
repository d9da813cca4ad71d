import { expect, test } from "playwright/test";
import { type MailServer, startMailServer } from "../../lib/mail/testing/smtp";
import { ownPort } from "../../lib/testing/own-port";
import { type Receivers, startReceivers } from "../chaos/receivers";
import { fault } from "../chaos/rig";
import { type OwnProduct, startProduct } from "../setup/product";
import { feedSettings } from "../trials/fuzz/doors";
import { jsonOf, send, sendForm, sendJson } from "../trials/http";
import { intruder } from "../trials/intruder/trial";
import { connectAccount, newPartner, newPerson, type Person } from "../trials/people";
import { runTrial } from "../trials/trial";

/** Covers the wait for a worker, the delay of the event log and a busy machine. */
const SOON = { timeout: 60_000 };

let product: OwnProduct;
let post: MailServer;
let receivers: Receivers;

test.beforeAll(async () => {
  const port = await ownPort();
  [post, receivers] = await Promise.all([startMailServer(), startReceivers(port)]);
  const allowed = [`127.0.0.1+127.0.0.1+${port}`, (await feedSettings()).EGRESS_ALLOW]; // the last one is the feed's
  product = await startProduct({ env: { SMTP_URL: post.url, EGRESS_ALLOW: allowed.join(",") } });
});
test.afterAll(async () => {
  await product?.stop();
  await Promise.all([post?.stop(), receivers?.close()]);
});

const subjectsFor = (email: string) => post.for(email).map(({ subject }) => subject);

type Seen = { overallStatus: string; publications: { posts: { error?: string }[] }[] };

/** Publishes a post on X now and returns the schedule once it has ended. */
async function publish({ headers }: Person, socialMediaAccountId: number, content: string): Promise<Seen> {
  const publications = [{ socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content }] }];
  const body = { scheduledTime: new Date().toISOString(), publications };
  const { id } = jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/posts", body, headers));
  const read = async () => jsonOf<Seen>(await send(product.url, `/v1/posts/${id}`, { headers }));
  await expect.poll(async () => (await read()).overallStatus, SOON).toMatch(/COMPLETED|FAILED/);
  return read();
}

test("a published post, a failed post and an account to reconnect each cause one mail, unless unsubscribed", async () => {
  const person = await newPerson(product, "ada@example.com");
  const account = await connectAccount(product, person, "X_TWITTER", "ada");
  await publish(person, account, "Ring the bells");
  await expect.poll(() => subjectsFor(person.email), SOON).toEqual(["Published: “Ring the bells”"]);
  const [success] = post.for(person.email);
  expect(success?.text).toContain("@ada on X: View the post");

  // Mail scanners open every link, so only a POST unsubscribes (RFC 8058).
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
  await publish(person, account, "After revocation");
  await publish(person, account, "Still revoked");
  const rest = ["“Loudly”", "“After revocation”", "“Still revoked”"].map((text) => `Not published: ${text}`);
  const all = ["Published: “Ring the bells”", ...rest, "@ada on X needs reconnecting"];
  await expect.poll(() => subjectsFor(person.email).toSorted(), SOON).toEqual(all.toSorted());
  const about = post.for(person.email).find(({ subject }) => subject === rest[0]);
  expect(about?.text).toContain(failed.publications[0]?.posts[0]?.error ?? "no reason");
});

test("when a partner's webhook is switched off, its members get a mail and its users do not", async () => {
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
    const input = { url, events: ["post.completed"] };
    const { id } = jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/webhooks", input, whose));
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

test(`T33: ${intruder().guarantee}`, async () => {
  test.setTimeout(900_000); // its requests follow one another, which takes five minutes on a slow machine
  expect((await runTrial(intruder(post), { size: "short", seed: 20_261_124, product })).failures).toEqual([]);
});

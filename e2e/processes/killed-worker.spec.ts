import { expect, test } from "@playwright/test";
import { type OwnProduct, startProduct } from "../setup/product";
import type { Service } from "../setup/service";

let product: OwnProduct;
let headers: { [name: string]: string };

test.beforeAll(async () => {
  product = await startProduct({ env: { WORKER: "off" } });
  const email = "owner@example.com";
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const { access_token } = (await product.carillon("tokens", "create", "--user", email)) as { access_token: string };
  headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
});

test.afterAll(() => product?.stop());

/** The worker that takes over. It is stopped before the next test, so that it does not do the work of the worker to be killed. */
let nextWorker: Service | undefined;
test.afterEach(() => nextWorker?.stop());

async function connect(platform: string, person: string): Promise<number> {
  const args = ["--user", "owner@example.com", "--platform", platform, "--person", person];
  return ((await product.carillon("accounts", "connect-sandbox", ...args)) as { id: number }).id;
}

async function api(path: string, body?: unknown) {
  const res = await fetch(product.url + path, {
    headers,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return res.json();
}

async function ledger(network: string): Promise<{ text: string }[]> {
  return (await fetch(`${product.sandboxUrl}/_control/posts?network=${network}`)).json();
}

/** Makes the network do the work but delay its answer, so that the waiting worker can be killed. */
async function delayAnswer(network: string): Promise<void> {
  const body = JSON.stringify({ network, operation: "publish", fault: "late_response", times: 1, afterSeconds: 120 });
  const res = await fetch(`${product.sandboxUrl}/_control/faults`, { method: "POST", body });
  expect(res.status).toBe(204);
}

async function publish(network: string, accountId: number, type: string, text: string, settings: object = {}) {
  const doomed = await product.startWorker();
  await delayAnswer(network);
  const { id } = await api("/v1/posts", {
    scheduledTime: new Date().toISOString(),
    publications: [
      { socialMediaAccountId: accountId, platformSettings: { type }, posts: [{ content: text, ...settings }] },
    ],
  });
  // The post is published but not answered. Now the worker dies.
  await expect.poll(async () => (await ledger(network)).length).toBe(1);
  await doomed.kill();
  nextWorker = await product.startWorker();
  return { id, status: async () => (await api(`/v1/posts/${id}`)).overallStatus };
}

test("after a worker is killed between intent and answer, the next one finds the post and does not send it again", async () => {
  const accountId = await connect("X_TWITTER", "alice");
  const text = "Sent once";
  const { id, status } = await publish("x", accountId, "TWITTER", text);

  await expect.poll(status).toBe("COMPLETED");
  expect((await ledger("x")).map((post) => post.text)).toEqual([text]);
  const { publications } = await api(`/v1/posts/${id}`);
  expect(publications[0].posts[0].networkPostId).toMatch(/^\d{19}$/);
});

test("on a network that cannot be searched the outcome is UNKNOWN, and nothing is sent again", async () => {
  const accountId = await connect("TELEGRAM", "alice");
  const [chat] = await api(`/v1/accounts/${accountId}/chats?platform=TELEGRAM`);
  const text = "Perhaps sent, never twice";
  const { id, status } = await publish("telegram", accountId, "TELEGRAM", text, { chatId: chat.id });

  await expect.poll(status).toBe("FAILED");
  const { publications } = await api(`/v1/posts/${id}`);
  expect(publications[0].status).toBe("UNKNOWN");
  expect(publications[0].posts[0].error).toContain("the post may be live");
  expect((await ledger("telegram")).map((post) => post.text)).toEqual([text]);
});

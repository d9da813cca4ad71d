import { randomBytes } from "node:crypto";
import { expect, test } from "playwright/test";
import { type OwnProduct, startProduct } from "../setup/product";
import { jsonOf, send, sendForm, sendJson } from "../trials/http";
import { connectAccount, newPartner, newPerson, PASSWORD, partnerToken, signIn } from "../trials/people";

/** A worker publishes the post, which may take a while on a busy machine. */
const SOON = { timeout: 60_000 };
const newKey = () => randomBytes(32).toString("base64url");

/** The keys of cookies, links and forms, which reseal stores when a key retires. */
const RETIRED = 8;

const old = newKey();
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startProduct({ env: { SECRETS_KEY: old } });
});
test.afterAll(() => product?.stop());

type Report = { keys: { key: number; values: number }[]; problems: { problem: string }[] };

/** `doctor` exits with code 1 because this product is not set up for real networks, but prints its report. */
const doctor = async () => (await product.carillon("doctor")) as Report;

test("a key can be replaced: adding one keeps everyone signed in, and after keys reseal the old one can be removed at once, with or without its cookies", async () => {
  const person = await newPerson(product, "keys@example.com");
  const socialMediaAccountId = await connectAccount(product, person, "X_TWITTER", "ada");
  const partner = await newPartner(product);
  const cookie = await signIn(product, person.email);
  const known = cookie
    .split("; ")
    .filter((one) => one.startsWith("known_"))
    .join("; ");
  const isSignedIn = async (sent = cookie) =>
    (await send(product.url, "/v1/me", { headers: { cookie: sent } })).status === 200;
  const webhook = { url: "https://93.184.215.14/hook", events: ["post.completed"] };
  const create = { ...person.headers, "idempotency-key": "one webhook" };
  const created = jsonOf<object>(await sendJson(product.url, "POST", "/v1/webhooks", webhook, create));

  const leaked = newKey();
  await product.restart({ SECRETS_KEY: `${leaked},${old}` });
  expect(await isSignedIn()).toBe(true);
  const before = await doctor();
  expect(before.keys).toEqual([
    { key: 1, values: 0 },
    { key: 2, values: expect.any(Number) },
  ]);
  const { resealed } = (await product.carillon("keys", "reseal")) as { resealed: { [column: string]: number } };
  expect(resealed).toMatchObject({
    ...{ "accounts.tokens_sealed": 1, "webhook_endpoints.secret_sealed": 1, "idempotency_keys.answer": 1 },
  });
  expect((await doctor()).keys).toEqual([
    { key: 1, values: (before.keys[1]?.values ?? 0) + RETIRED },
    { key: 2, values: 0 },
  ]);

  const leakedCookie = await signIn(product, (await newPerson(product, "leaked@example.com")).email);

  const fresh = newKey();
  await product.restart({ SECRETS_KEY: `${fresh},${leaked}` });
  expect([await isSignedIn(), await isSignedIn(leakedCookie)]).toEqual([true, true]); // with the cookies of the older keys
  const repeated = await sendJson(product.url, "POST", "/v1/webhooks", webhook, create);
  expect(jsonOf(repeated)).toEqual(created);

  const password = async (typed: string, headers = {}) =>
    (await sendForm(product.url, "/sign-in", { email: person.email, password: typed }, headers)).status;
  for (let guess = 0; guess < 5; guess++) expect(await password("a stranger's guess")).toBe(401);
  expect(await password(PASSWORD)).toBe(429);
  expect(await password(PASSWORD, { cookie: known })).toBe(303); // the browser that signed in before does not wait
  const publications = [
    { socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "Sealed" }] },
  ];
  const body = { scheduledTime: new Date().toISOString(), publications };
  const { id } = jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/posts", body, person.headers));
  const read = async () => jsonOf<object>(await send(product.url, `/v1/posts/${id}`, { headers: person.headers }));
  await expect.poll(read, SOON).toMatchObject({ overallStatus: "COMPLETED" });
  expect((await partnerToken(product, partner)).status).toBe(200);

  await product.carillon("keys", "reseal", "--cookies", "end");
  await product.restart({ SECRETS_KEY: fresh });
  expect((await doctor()).problems.filter(({ problem }) => problem.includes("SECRETS_KEY"))).toEqual([]);
  expect(await isSignedIn(leakedCookie)).toBe(false);
});

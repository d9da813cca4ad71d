import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createPersonalToken } from "../../oauth";
import { as, connectAccount, newOwner, newPartner, nobody, picture, readResponse } from "../../testing";

let owner: string;
let token: string;
let x: number;
let networkId: string | undefined;
let instagram: number;
let image: string;

beforeAll(async () => {
  owner = await newOwner();
  token = (await createPersonalToken(owner, ["api"])).access_token;
  x = (await connectAccount(owner, "X_TWITTER")).id;
  const [, listed] = await readResponse(as(owner).get("/v1/accounts"));
  networkId = (listed as { id: number; accountId: string }[]).find(({ id }) => id === x)?.accountId;
  instagram = (await connectAccount(owner, "INSTAGRAM")).id;
  image = await picture(owner);
  await nobody.get("/v1/accounts", { authorization: `Bearer ${token}` }); // reads the signing keys
});

const TIME = "2031-05-01T12:00:00Z";

const nested = () => ({
  scheduledTime: TIME,
  publications: [
    {
      socialMediaAccountId: x,
      platformSettings: { type: "TWITTER" },
      posts: [{ content: randomUUID() }, { content: "b", attachmentPaths: [image] }],
    },
    {
      socialMediaAccountId: instagram,
      platformSettings: { type: "INSTAGRAM" },
      posts: [{ content: "a", attachmentPaths: [image] }],
    },
  ],
});

/** The listener's own queries, a token's grant, which a busy machine may read again, and its last use, which is written later. */
const APART = /^select 1$|^listen |(from|update) "grants"/;

const inRequest = new AsyncLocalStorage<string[]>();

/** Checks the queries of one request, but not what the process does beside it. Each query is a round trip. */
async function expectTrips(work: () => Promise<Response>, expected: [status: number, trips: number]): Promise<void> {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args) {
    const what = args[0] as string | { text: string };
    inRequest.getStore()?.push(typeof what === "string" ? what : what.text);
    return query.apply(this, args) as undefined;
  });
  try {
    const texts: string[] = [];
    const [status] = await inRequest.run(texts, () => readResponse(work()));
    expect(status).toBe(expected[0]);
    expect(texts.filter((text) => !APART.test(text))).toHaveLength(expected[1]);
  } finally {
    spy.mockRestore();
  }
}

const post = (path: string, body: object, headers = {}) =>
  nobody.post(path, body, { authorization: `Bearer ${token}`, ...headers });

describe("SQL round trips", () => {
  test("creating a schedule with publications, posts and jobs takes two", async () => {
    await expectTrips(() => post("/v1/posts", nested()), [201, 2]);
  });

  test.each([
    ["by its id", () => x],
    ["by its name on the network", () => networkId],
  ])("the flat body takes two if the account is given %s", async (_, accountId) => {
    const flat = { platform: "X_TWITTER", accountId: accountId(), content: "a", scheduledTime: TIME };
    await expectTrips(() => post("/v1/posts", flat), [201, 2]);
  });

  test("an Idempotency-Key takes two, its replay one", async () => {
    const body = nested();
    const headers = { "idempotency-key": randomUUID() };
    await expectTrips(() => post("/v1/posts", body, headers), [201, 2]);
    await expectTrips(() => post("/v1/posts", body, headers), [201, 1]);
  });

  test("a rejected request takes one, and so does validation", async () => {
    await expectTrips(() => post("/v1/posts", { ...nested(), scheduledTime: "never" }), [400, 1]);
    await expectTrips(() => post("/v1/posts/validate", nested()), [200, 1]);
  });

  test("listing the accounts takes one", async () => {
    const list = () => nobody.get("/v1/accounts", { authorization: `Bearer ${token}` });
    await expectTrips(list, [200, 1]);
  });

  test("a partner's call takes one more for the user that it names: the limit and the route share it", async () => {
    const partner = await newPartner();
    const user = { "x-connect-external-user-id": randomUUID() };
    const externalUserId = user["x-connect-external-user-id"];
    await partner.post("/v1/connect/users", { externalUserId, name: "U" });
    await expectTrips(() => partner.get("/v1/accounts", user), [200, 2]);
    await expectTrips(() => partner.get("/v1/accounts", user), [200, 2]); // the limit knows the user now
    const nobodyOfIts = { "x-connect-external-user-id": randomUUID() };
    await expectTrips(() => partner.get("/v1/accounts", nobodyOfIts), [404, 1]);
    await expectTrips(() => partner.get("/v1/connect/users", nobodyOfIts), [200, 1]);
  });
});

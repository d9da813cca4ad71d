import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { deletePersonData } from "../../accounts";
import { connectWithoutBrowser } from "../../connect";
import { accounts, db } from "../../db";
import { accountGroupsLockText } from "../../db/locks";
import { networkOf } from "../../networks";
import { as, type Client, connectAccount, newOwner, readResponse } from "../../testing";
import { whileTurnTaken } from "../../testing/held";

/** A person with two accounts, and clients with all scopes and with only `accounts.read`. */
async function person() {
  const owner = await newOwner();
  const [x, other] = [await connectAccount(owner, "X_TWITTER"), await connectAccount(owner, "X_TWITTER")];
  return { owner, client: as(owner), reader: as(owner, ["accounts.read"]), x, other };
}

type Group = { id: number; name: string; colour: string; accountIds: number[] };

async function made(client: Client, body: object): Promise<Group> {
  const [status, group] = await readResponse(client.post("/v1/account-groups", { colour: "TEAL", ...body }));
  expect(status).toBe(201);
  return group as Group;
}

async function listed(client: Client): Promise<Group[]> {
  const [status, groups] = await readResponse(client.get("/v1/account-groups"));
  expect(status).toBe(200);
  return groups as Group[];
}

describe("groups of accounts", () => {
  test("are listed oldest first, with each account once, also if it is in several groups", async () => {
    const { client, reader, x, other } = await person();
    expect(await listed(reader)).toEqual([]);
    const brand = await made(client, { name: "  Brand ", colour: "GOLD", accountIds: [other.id, x.id, other.id] });
    const shop = await made(client, { name: "Shop", accountIds: [x.id] });
    const empty = await made(client, { name: "Diary" });
    expect(brand).toMatchObject({ name: "Brand", colour: "GOLD", accountIds: [x.id, other.id] });
    expect(empty.accountIds).toEqual([]);
    expect(await listed(reader)).toEqual([brand, shop, empty]);
  });

  test("a PATCH changes only the fields that it names", async () => {
    const { client, x, other } = await person();
    const { id } = await made(client, { name: "Brand", accountIds: [x.id] });
    const path = `/v1/account-groups/${id}`;
    await client.patch(path, { name: "BRAND" });
    expect(await listed(client)).toMatchObject([{ name: "BRAND", colour: "TEAL", accountIds: [x.id] }]);
    await client.patch(path, { colour: "BLUE", accountIds: [other.id] });
    expect(await listed(client)).toMatchObject([{ name: "BRAND", colour: "BLUE", accountIds: [other.id] }]);
    await client.patch(path, { accountIds: [] });
    expect(await listed(client)).toMatchObject([{ name: "BRAND", colour: "BLUE", accountIds: [] }]);
  });

  test("a deleted group keeps its accounts", async () => {
    const { client, x } = await person();
    const { id } = await made(client, { name: "Brand", accountIds: [x.id] });
    expect((await client.delete(`/v1/account-groups/${id}`)).status).toBe(204);
    expect(await listed(client)).toEqual([]);
    const [, kept] = await readResponse(client.get("/v1/accounts"));
    expect((kept as object[]).length).toBe(2);
  });

  test("lose an account that is disconnected, also after it is connected again", async () => {
    const { owner, client, x, other } = await person();
    await made(client, { name: "Brand", accountIds: [x.id, other.id] });
    await client.delete(`/v1/accounts/${x.id}`);
    expect(await listed(client)).toMatchObject([{ accountIds: [other.id] }]);
    expect(await connectWithoutBrowser(owner, "X_TWITTER", x.person)).toBe(x.id);
    expect(await listed(client)).toMatchObject([{ accountIds: [other.id] }]);
  });

  test("lose an account whose person asked the network for the deletion of their data", async () => {
    const { owner, client } = await person();
    const { id } = await connectAccount(owner, "THREADS");
    await made(client, { name: "Brand", accountIds: [id] });
    const [account] = await db.select().from(accounts).where(eq(accounts.id, id));
    const request = { accountId: account?.networkAccountId ?? "", at: new Date(Date.now() + 1_000) };
    await deletePersonData(networkOf("THREADS"), request);
    expect(await listed(client)).toMatchObject([{ accountIds: [] }]);
  });
});

describe("400, 403 and 409 say what is wrong, and nothing changes", () => {
  test.each([
    [{ name: " " }, "name must have at least 1 character that is not white space"],
    [{ name: "a".repeat(61) }, "name must have at most 60 characters"],
    [{ colour: "MAUVE" }, "colour must be GOLD, CORAL, TEAL, BLUE, VIOLET or GREY"],
    [{ accountIds: [1.5] }, "accountIds[0] must be a whole number"],
    [{ accounts: [] }, "accounts is not a field here"],
  ])("for %j", async (change, error) => {
    const { client } = await person();
    const body = { name: "Brand", colour: "TEAL", accountIds: [], ...change };
    expect(await readResponse(client.post("/v1/account-groups", body))).toEqual([400, { error }]);
    expect(await listed(client)).toEqual([]);
  });

  test("for a disconnected account, by its id", async () => {
    const { client, x, other } = await person();
    await client.delete(`/v1/accounts/${x.id}`);
    const error = `accountIds contains ids that are not accounts of this user: ${x.id}`;
    const body = { name: "Brand", colour: "TEAL", accountIds: [x.id, other.id] };
    expect(await readResponse(client.post("/v1/account-groups", body))).toEqual([400, { error }]);
    expect(await listed(client)).toEqual([]);
  });

  test("for a name that another group has, ignoring case, but not for another person's group", async () => {
    const [ada, grace] = [await person(), await person()];
    const brand = await made(ada.client, { name: "Brand" });
    const shop = await made(ada.client, { name: "Shop" });
    const error = "There is already an account group with this name";
    const body = { name: "BRAND", colour: "TEAL" };
    expect(await readResponse(ada.client.post("/v1/account-groups", body))).toEqual([409, { error }]);
    expect(await readResponse(ada.client.patch(`/v1/account-groups/${shop.id}`, body))).toEqual([409, { error }]);
    expect(await listed(ada.client)).toEqual([brand, shop]);
    await made(grace.client, { name: "Brand" });
  });

  test("when two calls with the same name arrive at once, for one of them", async () => {
    const { owner, client } = await person();
    const body = { name: "Brand", colour: "TEAL" };
    const three = [1, 2, 3].map(() => () => client.post("/v1/account-groups", body));
    const answers = await whileTurnTaken(accountGroupsLockText(owner), three);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await listed(client)).toHaveLength(1);
  });

  test("for the group after the hundredth", async () => {
    const { client } = await person();
    for (let index = 0; index < 100; index++) await made(client, { name: `Group ${index}` });
    expect(await readResponse(client.post("/v1/account-groups", { name: "One more", colour: "TEAL" }))).toEqual([
      409,
      { error: "There are 100 account groups already; remove one first" },
    ]);
  });

  test("for a token that may only read accounts", async () => {
    const { client, reader } = await person();
    const { id } = await made(client, { name: "Brand" });
    const body = { name: "Shop", colour: "TEAL" };
    for (const call of [
      reader.post("/v1/account-groups", body),
      reader.patch(`/v1/account-groups/${id}`, body),
      reader.delete(`/v1/account-groups/${id}`),
    ]) {
      expect((await call).status).toBe(403);
    }
    expect(await listed(client)).toMatchObject([{ name: "Brand" }]);
  });
});

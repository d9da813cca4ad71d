import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connectWithoutBrowser } from "../connect";
import { accounts, db } from "../db";
import { networkOf } from "../networks";
import { as, connectAccount, eventsOf, newOwner, newPerson, readResponse } from "../testing";
import { requireReconnect } from "./accounts";
import { deletePersonData } from "./deletion";

const types = async (owner: string) => (await eventsOf(owner)).map(({ type }) => type);

async function shown(owner: string, id: number) {
  const [, list] = await readResponse(as(owner).get("/v1/accounts"));
  return (list as { id: number }[]).find((account) => account.id === id);
}

describe("account.connected", () => {
  test("contains the account as the API shows it, each time it is connected", async () => {
    const owner = await newOwner();
    const person = newPerson();
    const id = await connectWithoutBrowser(owner, "X_TWITTER", person);
    expect(await eventsOf(owner)).toEqual([{ type: "account.connected", data: await shown(owner, id) }]);
    expect(await connectWithoutBrowser(owner, "X_TWITTER", person)).toBe(id);
    expect((await eventsOf(owner))[1]).toEqual({ type: "account.connected", data: await shown(owner, id) });
  });

  test("is not emitted if another user already has the account", async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    const person = newPerson();
    await connectWithoutBrowser(first, "X_TWITTER", person);
    await expect(connectWithoutBrowser(second, "X_TWITTER", person)).rejects.toThrow();
    expect(await eventsOf(second)).toEqual([]);
  });
});

describe("account.reconnect_required", () => {
  test("is emitted once per incident, however many failures report it", async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    await Promise.all(Array.from({ length: 6 }, () => requireReconnect(id, "X wants you back")));
    const [, event, ...rest] = await eventsOf(owner);
    expect(event).toEqual({ type: "account.reconnect_required", data: await shown(owner, id) });
    expect(event?.data.state).toBe("RECONNECT_REQUIRED");
    expect(rest).toEqual([]);
  });

  test("is emitted again for the next incident", async () => {
    const owner = await newOwner();
    const person = newPerson();
    const id = await connectWithoutBrowser(owner, "X_TWITTER", person);
    await requireReconnect(id, "X wants you back");
    await connectWithoutBrowser(owner, "X_TWITTER", person);
    await requireReconnect(id, "X wants you back");
    expect(await types(owner)).toEqual([
      "account.connected",
      "account.reconnect_required",
      "account.connected",
      "account.reconnect_required",
    ]);
  });
});

describe("account.disconnected", () => {
  test("is emitted once", async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    const statuses = await Promise.all(
      Array.from({ length: 3 }, async () => (await as(owner).delete(`/v1/accounts/${id}`)).status),
    );
    expect(statuses.sort()).toEqual([204, 404, 404]);
    expect(await types(owner)).toEqual(["account.connected", "account.disconnected"]);
  });

  test("is the only event left after a person's data was deleted, and does not identify the person", async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "FACEBOOK");
    const [account] = await db.select().from(accounts).where(eq(accounts.id, id));
    const network = networkOf("FACEBOOK");
    if (!account || !network) throw new Error("not connected");
    const { id: kept } = await connectAccount(owner, "X_TWITTER");
    await deletePersonData(network, { accountId: account.networkAccountId, at: new Date(Date.now() + 1_000) });
    const told = await eventsOf(owner);
    expect(told.map(({ type, data }) => [type, data.id])).toEqual([
      ["account.connected", kept],
      ["account.disconnected", id],
    ]);
    expect(JSON.stringify(told)).not.toContain(account.networkAccountId);
  });
});

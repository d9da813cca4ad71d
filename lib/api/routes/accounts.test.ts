import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { requireReconnect } from "../../accounts";
import { connectWithoutBrowser } from "../../connect";
import { accounts, db } from "../../db";
import { env } from "../../env";
import { as, connectAccount, control, newOwner, newPartner, readResponse } from "../../testing";

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);

describe("GET /v1/accounts", () => {
  test("lists only the owner's accounts, oldest first, as SPEC defines", async () => {
    const [owner, other] = await Promise.all([newOwner(), newOwner()]);
    const x = await connectAccount(owner, "X_TWITTER");
    const instagram = await connectAccount(owner, "INSTAGRAM");
    expect(await readResponse(as(owner).get("/v1/accounts"))).toEqual([
      200,
      [x, instagram].map(({ id, person }, index) => ({
        id,
        platform: ["X_TWITTER", "INSTAGRAM"][index],
        accountId: expect.stringMatching(/^\d{10,}$/),
        accountUsername: person,
        accountDisplayName: person.replace(/^p/, "P"),
        accountAvatarUrl: expect.stringMatching(/^http:/),
        createdTime: TIME,
        updatedTime: TIME,
        state: "ACTIVE",
        stateTime: TIME,
        tokenExpiresTime: TIME,
      })),
    ]);
    expect(await readResponse(as(other).get("/v1/accounts"))).toEqual([200, []]);
  });

  test("shows when a permission ends that cannot be renewed", async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "LINKEDIN");
    const read = async () => (await readResponse(as(owner).get("/v1/accounts")))[1];
    const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
    const isRenewed = row?.permissionEndsAt === null;
    expect(await read()).toEqual([expect.objectContaining({ id, ...(isRenewed ? {} : { permissionEndsTime: TIME }) })]);
    await db.update(accounts).set({ permissionEndsAt: "2031-04-02 09:15:00+00" }).where(eq(accounts.id, id));
    expect(await read()).toEqual([expect.objectContaining({ permissionEndsTime: "2031-04-02T09:15:00.000000" })]);
  });

  test("shows the start, the reason and the reconnect URL of one incident, until the account is reconnected", async () => {
    const owner = await newOwner();
    const { id, person } = await connectAccount(owner, "X_TWITTER");
    const read = async () => ((await readResponse(as(owner).get("/v1/accounts")))[1] as { stateTime: string }[])[0];
    const before = await read();
    await requireReconnect(id, "X no longer accepts this account's permission");
    const incident = await read();
    expect(incident).toMatchObject({
      state: "RECONNECT_REQUIRED",
      stateReason: "X no longer accepts this account's permission",
      reconnectUrl: `${env.appUrl}/accounts/${id}/reconnect`,
    });
    expect(incident?.stateTime).not.toBe(before?.stateTime);
    expect(await requireReconnect(id, "found out once more")).toBe(false);
    expect(await read()).toEqual(incident);
    expect(await connectWithoutBrowser(owner, "X_TWITTER", person)).toBe(id);
    const after = await read();
    expect(after).toMatchObject({ id, state: "ACTIVE" });
    expect(after).not.toHaveProperty("reconnectUrl");
    expect(after).not.toHaveProperty("stateReason");
  });

  test("has no reconnect URL for a partner's user", async () => {
    const partner = await newPartner();
    const created = await partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" });
    const { uuid } = (await created.json()) as { uuid: string };
    const { id } = await connectAccount(uuid, "X_TWITTER");
    await requireReconnect(id, "X no longer accepts this account's permission");
    const [, body] = await readResponse(partner.get("/v1/accounts", { "x-connect-user-id": uuid }));
    expect(body).toEqual([expect.objectContaining({ state: "RECONNECT_REQUIRED" })]);
    expect(body).toEqual([expect.not.objectContaining({ reconnectUrl: expect.anything() })]);
  });
});

describe("GET /v1/accounts/{id}/chats", () => {
  test("lists a Telegram account's chats as SPEC defines", async () => {
    const owner = await newOwner();
    const { id, person } = await connectAccount(owner, "TELEGRAM");
    const name = person.replace(/^p/, "P");
    const chat = { id: expect.stringMatching(/^-100\d+$/), type: "channel", platform: "TELEGRAM" };
    expect(await readResponse(as(owner).get(`/v1/accounts/${id}/chats?platform=TELEGRAM`))).toEqual([
      200,
      [
        { ...chat, title: `${name}'s channel` },
        { ...chat, title: `${name}'s private channel` },
      ],
    ]);
  });

  test("400 for a platform that is absent, unknown, twice, or not the account's", async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    const telegram = await connectAccount(owner, "TELEGRAM");
    const platforms = /^platform must be X_TWITTER, .* or PINTEREST$/;
    for (const [path, says] of [
      [`${id}/chats`, "platform cannot be null"],
      [`${id}/chats?platform=MYSPACE`, expect.stringMatching(platforms)],
      [`${id}/chats?platform=TELEGRAM&platform=TELEGRAM`, "platform is given twice"],
      [`${id}/chats?platform=X_TWITTER`, "platform has no destinations: X_TWITTER"],
      [`${id}/chats?platform=TELEGRAM`, "platform must be this account's platform, X_TWITTER"],
      [`${telegram.id}/chats?platform=FACEBOOK`, "platform must be this account's platform, TELEGRAM"],
    ]) {
      expect(await readResponse(as(owner).get(`/v1/accounts/${path}`))).toEqual([400, { error: says }]);
    }
  });
});

describe("GET /v1/accounts/{id}/options", () => {
  test("returns the current options of a TikTok creator", async () => {
    const owner = await newOwner();
    const { id, person } = await connectAccount(owner, "TIKTOK");
    expect(await readResponse(as(owner).get(`/v1/accounts/${id}/options`))).toEqual([
      200,
      {
        displayName: person.replace(/^p/, "P"),
        settings: {
          privacyLevel: ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
          disableComments: [false, true],
          disableDuet: [false, true],
          disableStitch: [false, true],
        },
        video: { maxSeconds: 180 },
      },
    ]);
  });

  test("has no settings if only the network's general rules apply", async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    expect(await readResponse(as(owner).get(`/v1/accounts/${id}/options`))).toEqual([200, { settings: {} }]);
  });
});

describe("GET /v1/accounts/{id}/options/{setting}", () => {
  test("lists the playlists of a channel, as the network has them now", async () => {
    const owner = await newOwner();
    const { id, person } = await connectAccount(owner, "YOUTUBE");
    const list = () => readResponse(as(owner).get(`/v1/accounts/${id}/options/playlistId`));
    expect(await list()).toEqual([200, []]);
    await control("youtube/playlist", { account: person, id: `PL${person}`, title: "Bells" });
    expect(await list()).toEqual([200, [{ id: `PL${person}`, title: "Bells" }]]);
  });

  test.each([
    ["INSTAGRAM", "locationId"],
    ["FACEBOOK", "placeId"],
    ["THREADS", "locationId"],
  ] as const)("searches the places of %s for %s by name", async (platform, setting) => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, platform);
    const path = `/v1/accounts/${id}/options/${setting}`;
    const tower = { id: "110506962309836", title: "Bell Tower Café, Ghent, Belgium" };
    expect(await readResponse(as(owner).get(`${path}?query=${encodeURIComponent(" tower café ")}`))).toEqual([
      200,
      [tower],
    ]);
    expect(await readResponse(as(owner).get(`${path}?query=nowhere`))).toEqual([200, []]);
    expect(await readResponse(as(owner).get(path))).toEqual([200, []]);
    expect(await readResponse(as(owner).get(`${path}?query=%20`))).toEqual([200, []]);
    expect((await readResponse(as(owner).get(`${path}?query=${"a".repeat(201)}`)))[0]).toBe(400);
  });

  test.each(["title", "constructor", "no such setting"])("is empty for %s", async (setting) => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "YOUTUBE");
    const path = `/v1/accounts/${id}/options/${encodeURIComponent(setting)}`;
    expect(await readResponse(as(owner).get(path))).toEqual([200, []]);
  });
});

describe("DELETE /v1/accounts/{id}", () => {
  test("deletes the tokens at once, hides the account, and is 404 when repeated", async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    expect(await readResponse(as(owner).delete(`/v1/accounts/${id}`))).toEqual([204, ""]);
    const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
    expect([row?.tokensSealed, row?.tokensExpireAt]).toEqual([null, null]);
    expect(await readResponse(as(owner).get("/v1/accounts"))).toEqual([200, []]);
    expect(await readResponse(as(owner).delete(`/v1/accounts/${id}`))).toEqual([
      404,
      { error: `Account not found: ${id}` },
    ]);
  });
});

describe("404, with the same bytes for someone else's account and a missing one", () => {
  test.each(["999999999999999", "0", "-1", "1e3", "abc", "9".repeat(40), "%00", "1%2F2"])("id %s", async (id) => {
    const said = { error: `Account not found: ${decodeURIComponent(id)}` };
    const owner = await newOwner();
    expect(await readResponse(as(owner).get(`/v1/accounts/${id}/chats?platform=TELEGRAM`))).toEqual([404, said]);
    expect(await readResponse(as(owner).delete(`/v1/accounts/${id}`))).toEqual([404, said]);
  });

  test("someone else's account", async () => {
    const [owner, other] = await Promise.all([newOwner(), newOwner()]);
    const { id } = await connectAccount(owner, "TELEGRAM");
    const said = { error: `Account not found: ${id}` };
    expect(await readResponse(as(other).get(`/v1/accounts/${id}/chats?platform=TELEGRAM`))).toEqual([404, said]);
    expect(await readResponse(as(other).delete(`/v1/accounts/${id}`))).toEqual([404, said]);
    expect((await readResponse(as(owner).get("/v1/accounts")))[1]).toHaveLength(1);
  });
});

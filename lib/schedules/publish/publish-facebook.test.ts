import { describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { env } from "../../env";
import {
  as,
  callsOn,
  chatsOf,
  connectAccount,
  fault,
  inAnHour,
  letDue,
  newOwner,
  postsOn,
  readResponse,
  schedule,
  settled,
  uploaded,
  withWorker,
} from "../../testing";
import { withApiServed } from "../../testing/served";

withWorker();

withApiServed(); // Facebook fetches files itself, from the product's own address

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "FACEBOOK");
  const client = as(owner);
  const chats = await chatsOf(client, id, "FACEBOOK");
  const on = (content: string, attachmentPaths: string[] = [], publicationType = "FEED", chatId = chats[0]?.id) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "FACEBOOK", publicationType },
    posts: [{ content, attachmentPaths, chatId }],
  });
  return { owner, id, client, person, chats, on };
}

const said = async (person: string) =>
  (await postsOn("facebook", person)).map(({ text, media }) => [text, media.length]);
const listings = async (person: string) => (await callsOn("facebook", person, "destinations")).length;

describe("the current list of Pages", () => {
  test("GET chats asks the network", async () => {
    const { id, client, person, chats } = await owned();
    const shown = person.replace(/^p/, "P");
    const page = { id: expect.stringMatching(/^\d{15}$/), type: "PAGE", platform: "FACEBOOK" };
    expect(chats).toEqual([
      { ...page, title: `${shown}'s Page` },
      { ...page, title: `${shown}'s Shop` },
    ]);
    const before = await listings(person);
    await leave(person, chats[0]?.id);
    expect(await chatsOf(client, id, "FACEBOOK")).toEqual([chats[1]]);
    expect(await listings(person)).toBeGreaterThan(before);
  });

  test("a known Page is not looked up again; an unknown one is", async () => {
    const { client, person, on } = await owned();
    const asked = await listings(person);
    const later = new Date(Date.now() + 3_600_000);
    await schedule(client, [on("known")], later);
    expect(await listings(person)).toBe(asked);
    const body = { scheduledTime: later.toISOString(), publications: [on("unknown", [], "FEED", "123456789012345")] };
    expect(await readResponse(client.post("/v1/posts", body))).toEqual([
      400,
      { error: "publications[0].posts[0].chatId is not a destination of this Facebook account: 123456789012345" },
    ]);
    expect(await listings(person)).toBeGreaterThan(asked);
  });

  test("without a Page, the only one is used; with several, one must be chosen", async () => {
    const { id, client, person, chats } = await owned();
    const publication = {
      socialMediaAccountId: id,
      platformSettings: { type: "FACEBOOK" },
      posts: [{ content: "to the only one" }],
    };
    const body = { scheduledTime: new Date(Date.now() + 3_600_000).toISOString(), publications: [publication] };
    expect(await readResponse(client.post("/v1/posts", body))).toEqual([
      400,
      { error: "publications[0].posts[0].chatId cannot be null: the account has several destinations" },
    ]);
    await leave(person, chats[0]?.id);
    expect(await schedule(client, [publication], new Date(Date.now() + 3_600_000))).toMatchObject({
      publications: [{ posts: [{ chatId: chats[1]?.id }] }],
    });
  });

  test("an unavailable network does not prevent scheduling", async () => {
    const { client, person, on } = await owned();
    await fault({ network: "facebook", operation: "destinations", account: person, fault: "http_500" });
    const later = new Date(Date.now() + 3_600_000);
    await schedule(client, [on("unknown for now", [], "FEED", "123456789012345")], later);
  });

  test("a revoked permission is 409, and the account must be reconnected", async () => {
    const { id, client, person } = await owned();
    await fault({ network: "facebook", operation: "destinations", account: person, fault: "revoke_token" });
    expect(await readResponse(client.get(`/v1/accounts/${id}/chats?platform=FACEBOOK`))).toEqual([
      409,
      { error: "Facebook no longer accepts this account's permission. Reconnect the account" },
    ]);
    expect(await readResponse(client.get("/v1/accounts"))).toMatchObject([200, [{ id, state: "RECONNECT_REQUIRED" }]]);
  });

  test("access to a Page that is lost before publishing: its post fails, and the account stays active", async () => {
    const { client, person, chats, on } = await owned();
    const made = await schedule(client, [on("lost"), on("kept", [], "FEED", chats[1]?.id)], inAnHour());
    await leave(person, chats[0]?.id);
    await letDue(made);
    const seen = await settled(client, made.id);
    expect(seen).toMatchObject({
      overallStatus: "PARTIALLY_COMPLETED",
      publications: [
        { posts: [{ status: "FAILED", error: expect.stringContaining("no longer post to this Page") }] },
        { posts: [{ status: "PUBLISHED" }] },
      ],
    });
    expect(await readResponse(client.get("/v1/accounts"))).toMatchObject([200, [{ state: "ACTIVE" }]]);
  });
});

async function leave(person: string, page: string | undefined): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ account: person, page });
  const answer = await fetch(`${env.sandbox?.url}/_control/facebook/leave-page`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`leave-page: ${answer.status}`);
}

test("disconnecting revokes the permission at the network", async () => {
  const { id, client, person } = await owned();
  expect((await client.delete(`/v1/accounts/${id}`)).status).toBe(204);
  await expect
    .poll(async () => (await callsOn("facebook", person, "revoke")).map(({ status }) => status))
    .toEqual([200]);
});

describe("a video's upload", () => {
  test("continues where it was cut off", async () => {
    const { client, person, on } = await owned();
    const film = await uploaded(client, mp4({ seconds: 600, fps: 60 }), "film.mp4");
    await fault({ network: "facebook", operation: "upload", account: person, fault: "drop_response" });
    const seen = await settled(client, (await schedule(client, [on("cut", [film])])).id);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect(await said(person)).toEqual([["cut", 1]]);
  });
});

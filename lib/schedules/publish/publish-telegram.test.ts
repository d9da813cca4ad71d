import { describe, expect, test } from "vitest";
import { recordDestination, storedDestinations } from "../../accounts";
import { db } from "../../db";
import {
  as,
  connectAccount,
  fault,
  newOwner,
  postsOn,
  readResponse,
  schedule,
  settled,
  withWorker,
} from "../../testing";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "TELEGRAM");
  const [chat] = (await storedDestinations([id])).get(id) ?? [];
  const on = (...parts: { content?: string; attachmentPaths?: string[] }[]) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TELEGRAM" },
    posts: parts.map((part) => ({ chatId: chat?.id, ...part })),
  });
  return { client: as(owner), person, on };
}

const UNANSWERED =
  "Telegram did not answer the final call, and cannot tell whether it took effect: the post may be live. " +
  "Look there before you send it again; Carillon will not by itself.";

test.concurrent("without a chat, the only one is used; with several, one must be chosen", async () => {
  const { client, person, on } = await owned();
  const publication = { ...on(), posts: [{ content: "to the only one" }] };
  const body = { scheduledTime: "2031-05-01T12:00:00Z", publications: [publication] };
  const [, checked] = await readResponse(client.post("/v1/posts/validate", body));
  expect(checked).toMatchObject({ valid: false, problems: [{ rule: "chat.required" }] });
  expect((checked as { problems: object[] }).problems[0]).not.toHaveProperty("apply");

  const id = publication.socialMediaAccountId;
  const [kept, gone] = (await storedDestinations([id])).get(id) ?? [];
  if (!kept || !gone) throw new Error(`${person} has fewer than two channels`);
  await recordDestination(db, id, gone, "REMOVED"); // as when the bot is thrown out of it
  expect(await readResponse(client.post("/v1/posts/validate", body))).toEqual([200, { valid: true, problems: [] }]);
  const flat = { scheduledTime: body.scheduledTime, platform: "TELEGRAM", accountId: id, content: "flat" };
  for (const given of [body, flat]) {
    expect(await readResponse(client.post("/v1/posts", given))).toMatchObject([
      201,
      { publications: [{ posts: [{ chatId: kept.id }] }] },
    ]);
  }
});

describe.concurrent("a network that cannot be read back", () => {
  test("a lost answer: UNKNOWN with an honest message, one post and never a second one", async () => {
    const { client, person, on } = await owned();
    await fault({ network: "telegram", operation: "publish", account: person, fault: "drop_response" });
    const made = await schedule(client, [on({ content: "maybe" }, { content: "not sent after it" })]);
    const seen = await settled(client, made.id);
    expect(seen).toMatchObject({
      overallStatus: "FAILED",
      publications: [{ status: "UNKNOWN", posts: [{ status: "UNKNOWN", error: UNANSWERED }, { status: "PENDING" }] }],
    });
    expect((await postsOn("telegram", person)).map(({ text }) => text)).toEqual(["maybe"]);
    const next = await settled(client, (await schedule(client, [on({ content: "later" })])).id);
    expect(next.overallStatus).toBe("COMPLETED");
    expect((await postsOn("telegram", person)).map(({ text }) => text)).toEqual(["maybe", "later"]);
  });

  test("a call that was cut off before it took effect: also UNKNOWN, and not sent again", async () => {
    const { client, person, on } = await owned();
    await fault({ network: "telegram", operation: "publish", account: person, fault: "refuse" });
    const seen = await settled(client, (await schedule(client, [on({ content: "cut" })])).id);
    expect(seen.publications[0]).toMatchObject({ status: "UNKNOWN", posts: [{ error: UNANSWERED }] });
    expect(await postsOn("telegram", person)).toEqual([]);
  });
});

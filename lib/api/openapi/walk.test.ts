import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, posts, publications, schedules } from "../../db";
import { env } from "../../env";
import { newClient, tokensFor } from "../../oauth/testing";
import { createFeedback } from "../../reviews";
import {
  as,
  type Client,
  connectAccount,
  newOwner,
  newPartner,
  nobody,
  picture,
  readResponse,
  signedInAs,
  withFiles,
} from "../../testing";
import { seen } from "../../testing/contract";
import { openApiDocument } from "..";

const TIME = "2031-05-01T12:00:00Z";
const CSV = { "content-type": "text/csv" };
const FEED = `<rss version="2.0"><channel><title>Bells</title>
<item><title>A bell</title><link>https://bells.example/1</link></item></channel></rss>`;
const feed = withFiles(12, (_, response) => response.end(FEED));

/** Every success that the document promises, once each. `assertAsDocumented` has checked each answer. */
test("every documented success was seen in this walk", async () => {
  await walkAsPerson(await newOwner());
  await walkAsPartner();
  await walkInPublic();
  const promised = Object.values(openApiDocument().paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => Number(status) < 300)
        .map((status) => `${operationId} ${status}`),
    );
  expect(promised.filter((one) => !seen.has(one))).toEqual([]);
});

async function walkAsPerson(owner: string): Promise<void> {
  const caller = as(owner);
  const { id: x } = await connectAccount(owner, "X_TWITTER");
  const [, group] = await readResponse(
    caller.post("/v1/account-groups", { name: "Shop", colour: "CORAL", accountIds: [x] }),
  );
  const groupPath = `/v1/account-groups/${(group as { id: number }).id}`;
  await caller.get("/v1/account-groups");
  await caller.get("/v1/accounts/plans");
  await caller.get("/v1/me/attention");
  await caller.put("/v1/me/attention", { readTime: TIME });
  await caller.patch(groupPath, { name: "Two shops" });
  await caller.delete(groupPath);
  const { id: telegram } = await connectAccount(owner, "TELEGRAM");
  await caller.get("/v1/accounts");
  await caller.get(`/v1/accounts/${telegram}/chats?platform=TELEGRAM`);
  const { id: pinterest } = await connectAccount(owner, "PINTEREST");
  const [, boards] = await readResponse(caller.get(`/v1/accounts/${pinterest}/chats?platform=PINTEREST`));
  const [{ id: board }] = boards as [{ id: string }];
  await caller.get(`/v1/accounts/${pinterest}/chats/${board}/sections`);
  await caller.get(`/v1/accounts/${x}/options`);
  const { id: youtube } = await connectAccount(owner, "YOUTUBE");
  await caller.get(`/v1/accounts/${youtube}/options/playlistId`);
  await caller.put(`/v1/accounts/${x}/slots`, { timeZone: "UTC", slots: [{ weekday: "MONDAY", time: "09:30" }] });
  await caller.get(`/v1/accounts/${x}/slots`);
  await caller.get(`/v1/slots/next?accountIds=${x}`);
  const key = await picture(owner);
  const input = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: 9 };
  const [, granted] = await readResponse(caller.post("/v1/media/upload/urls", input));
  const { url: place, headers } = granted as { url: string; headers: { [name: string]: string } };
  const put = { method: "PUT", headers: { ...headers, "content-length": "9" }, body: "123456789" };
  await nobody.request(place.slice(env.appUrl.length), put);
  await caller.post("/v1/media/upload/confirm", { key });
  const [, begun] = await readResponse(
    caller.post("/v1/media/upload/import", { url: "https://example.invalid/a.jpg" }),
  );
  await caller.get(`/v1/media/upload/import/${(begun as { id: number }).id}`);
  const [, listed] = await readResponse(caller.get("/v1/media"));
  await caller.get("/v1/media-labels");
  await caller.get("/v1/media/counts");
  const [{ url, thumbnailUrl }] = (listed as { items: [{ url: string; thumbnailUrl: string }] }).items;
  for (const address of [url, thumbnailUrl].map((whole) => whole.slice(env.appUrl.length))) {
    await nobody.request(address);
    await nobody.request(address, { headers: { range: "bytes=0-9" } });
  }
  const name = key.split("/")[1];
  await caller.patch(`/v1/media/${name}`, { altText: "A grey square" });
  await caller.get(`/v1/media/${name}`);
  const onX = { socialMediaAccountId: x, platformSettings: { type: "TWITTER" }, posts: [{ content: "one" }] };
  const body = { scheduledTime: TIME, publications: [onX] };
  await caller.post("/v1/posts/validate", body);
  const [, made] = await readResponse(caller.post("/v1/posts", body));
  const { id } = made as { id: number };
  for (const query of ["?dryRun=true", ""]) {
    await caller.post(`/v1/posts/import${query}`, `scheduledTime,accounts,text\n${TIME},${x},two\n`, CSV);
  }
  await caller.get("/v1/posts/export");
  await caller.put(`/v1/posts/${id}`, body);
  await caller.get(`/v1/posts/${id}`);
  await caller.get(`/v1/posts/${id}/receipt`);
  await caller.get(`/v1/posts/${id}/preview`);
  const repeat = { every: "DAY", time: "09:30", timeZone: "UTC", count: 2 };
  for (const query of ["?dryRun=true", ""]) await caller.post(`/v1/posts/${id}/repeat${query}`, repeat);
  await walkFeeds(caller, onX);
  await walkReviews(caller, id);
  const [, twin] = await readResponse(caller.post("/v1/posts", body));
  await caller.get("/v1/posts/duplicates");
  await caller.post("/v1/posts/merge", { ids: [id, (twin as { id: number }).id], keep: id });
  await caller.get("/v1/posts?limit=1");
  await caller.get("/v1/posts/counts");
  await fail(id);
  await caller.post(`/v1/posts/${id}/leave`, {});
  await caller.post(`/v1/posts/${id}/retry`, {});
  const [, proposed] = await readResponse(as(owner, ["posts.propose"]).post("/v1/posts", { ...body, isDraft: true }));
  const { id: proposalId, proposal } = proposed as { id: number; proposal: { digest: string } };
  await caller.post(`/v1/posts/${proposalId}/approve`, { digest: proposal.digest });
  const [, draft] = await readResponse(caller.post("/v1/posts", { ...body, isDraft: true }));
  await caller.delete(`/v1/posts/${(draft as { id: number }).id}`);
  await caller.delete(`/v1/media/${name}`);
  await signedInAs(owner).get("/v1/me");
  await caller.get("/v1/me/usage");
  const [, listedSessions] = await readResponse(caller.get("/v1/me/sessions"));
  const [session] = (listedSessions as { items: { id: string }[] }).items;
  await caller.delete(`/v1/me/sessions/${session?.id}`);
  await caller.delete("/v1/me/sessions");
  await caller.get("/v1/me/notifications");
  const email = { postPublished: false, postFailed: true, accountReconnect: true, webhookDisabled: true };
  const quietHours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
  await caller.put("/v1/me/notifications", { email, quietHours });
  const client = await newClient();
  await tokensFor(client, {}, owner);
  await caller.get("/v1/me/applications");
  await caller.delete(`/v1/me/applications/${client.clientId}`);
  await caller.get("/v1/me/export");
  await walkWebhooks(caller);
  await caller.delete(`/v1/accounts/${telegram}`);
  await caller.delete("/v1/me");
}

async function walkFeeds(caller: Client, publication: object): Promise<void> {
  const body = { url: feed().url, template: { publications: [publication] }, newestItems: 1 };
  await caller.post("/v1/feeds?dryRun=true", body);
  const [, made] = await readResponse(caller.post("/v1/feeds", body));
  await caller.get("/v1/feeds");
  await caller.get(`/v1/feeds/${(made as { id: number }).id}`);
  await caller.delete(`/v1/feeds/${(made as { id: number }).id}`);
}

async function walkReviews(caller: Client, id: number): Promise<void> {
  const [, made] = await readResponse(caller.post(`/v1/posts/${id}/review-links`, { days: 7 }));
  const { id: link, url } = made as { id: number; url: string };
  const token = new URL(url).searchParams.get("link") ?? "";
  await createFeedback(token, { name: "Grace", text: "Tuesday", verdict: "CHANGES_REQUESTED", digest: "0".repeat(64) });
  await caller.get(`/v1/posts/${id}/review-links`);
  const [, list] = await readResponse(caller.get(`/v1/posts/${id}/feedback`));
  const [said] = (list as { items: { id: number }[] }).items;
  await caller.patch(`/v1/posts/${id}/feedback/${said?.id}`, { answer: "Done", isClosed: true });
  await caller.delete(`/v1/posts/${id}/review-links/${link}`);
}

async function walkWebhooks(caller: Client): Promise<void> {
  const body = { url: "https://hooks.acme.invalid/carillon", events: ["post.failed"] };
  const [, made] = await readResponse(caller.post("/v1/webhooks", body));
  const path = `/v1/webhooks/${(made as { id: number }).id}`;
  await caller.get("/v1/webhooks");
  await caller.get(path);
  await caller.put(path, body);
  await caller.post(`${path}/rotate-secret`, {});
  const [, sent] = await readResponse(caller.post(`${path}/test`, {}));
  await caller.get(`${path}/deliveries`);
  await caller.post(`${path}/deliveries/${(sent as { id: string }).id}/redeliver`, {});
  await caller.get("/v1/events?since=now");
  await caller.delete(path);
}

/** The state in which a worker leaves a schedule whose publications all failed. */
async function fail(id: number): Promise<void> {
  const ofSchedule = db.select({ id: publications.id }).from(publications).where(eq(publications.scheduleId, id));
  await db
    .update(posts)
    .set({ status: "FAILED", error: "X refused the post" })
    .where(inArray(posts.publicationId, ofSchedule));
  await db.update(publications).set({ status: "FAILED" }).where(eq(publications.scheduleId, id));
  await db.update(schedules).set({ status: "FAILED" }).where(eq(schedules.id, id));
}

async function walkAsPartner(): Promise<void> {
  const partner = await newPartner();
  const user = { "x-connect-external-user-id": "one", "x-api-key": partner.clientId };
  const [, made] = await readResponse(partner.post("/v1/connect/users", { externalUserId: "one", name: "One" }));
  const { uuid } = made as { uuid: string };
  await partner.get("/v1/connect/users");
  await partner.get(`/v1/connect/users/${uuid}`);
  const input = { platform: "X_TWITTER", redirectUri: "https://acme.example/connected" };
  await partner.post("/v1/connect/authorize-url", input, user);
  await partner.post("/v1/connect/sessions", { origins: ["https://app.acme.example"] }, user);
  const { id } = await connectAccount(uuid, "X_TWITTER");
  await partner.post(`/v1/accounts/${id}/confirm`, {}, user);
  await partner.delete(`/v1/connect/users/${uuid}`);
  const { clientId: client_id, clientSecret: client_secret } = partner;
  await nobody.post("/oauth/revoke", { client_id, client_secret, token: "none of ours" });
}

async function walkInPublic(): Promise<void> {
  await nobody.get("/v1/openapi.json");
  for (const name of [
    "oauth-authorization-server",
    "oauth-protected-resource",
    "oauth-protected-resource/mcp",
    "jwks.json",
  ]) {
    await nobody.get(`/.well-known/${name}`);
  }
}

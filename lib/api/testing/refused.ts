import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import {
  accountGroups,
  accounts,
  db,
  feeds,
  idempotencyKeys,
  partners,
  posts,
  publications,
  publishSteps,
  reviewLinks,
  schedules,
  sessions,
  users,
  webhookEarlierSecrets,
  webhookEndpoints,
} from "../../db";
import { env } from "../../env";
import { serveFiles } from "../../http/testing/file-server";
import { seal, sha256 } from "../../secrets";
import { connectAccount } from "../../testing/accounts";
import { whileRowLocked } from "../../testing/held";
import { formOf } from "../../testing/media";
import { as, newOwner, newPartner, nobody, sessionCookie } from "../../testing/owners";
import type { ErrorResponse, NamedRoute, Route } from "../route";
import { allowedApplicationExample } from "../routes/examples";
import { newEndUser, type TestActor, withoutScope } from "./actors";
import { ask, type RecordedResponse, routeNameOf } from "./ask";
import type { ExampleCall } from "./call-example";
import { examples } from "./examples";
import { giveThings, noThings, type Things } from "./things";

/** An actor that can use the route, with its things: a partner acts for one of its users. */
export type Scene = {
  route: Route;
  actor: TestActor & { partner: Awaited<ReturnType<typeof newPartner>> };
  mine: Things;
};

/** Provokes an error and returns the response. */
type Way = (scene: Scene) => Promise<RecordedResponse>;

type Stage = Omit<Scene, "route">;

async function newStage(): Promise<Stage> {
  const partner = await newPartner();
  const mine = await giveThings(await newEndUser(partner));
  const headers = { "x-connect-user-id": mine.uuid };
  return { actor: { name: "a partner", client: partner, headers, things: mine, partner }, mine };
}

let common: Promise<Stage> | undefined;
let deleting: Promise<Stage> | undefined;

/** The user whose deletion was requested, for all routes: every call for them is rejected. */
async function newDeleting(): Promise<Stage> {
  const stage = await newStage();
  await db.update(users).set({ deletingAt: sql`now()` }).where(eq(users.id, stage.mine.uuid));
  return stage;
}

/** The successful call with some changes. */
function calling(
  { route, actor, mine }: Scene,
  changed: Partial<ExampleCall> = {},
  by: Partial<TestActor> = {},
): Promise<RecordedResponse> {
  const example = examples[routeNameOf(route)];
  if (!example) throw new Error(`no example for ${routeNameOf(route)}: add one to lib/api/testing/examples.ts`);
  const call = example.call(mine);
  return ask({ ...actor, ...by }, route, { ...call, ...changed, headers: { ...call.headers, ...changed.headers } });
}

const without: Way = (scene) => calling(scene, {}, { headers: {} });

/** The owner of an `Idempotency-Key`: the user, or the partner if its call is not for a user. */
async function keyOwnerOf({ route, mine, actor }: Scene): Promise<string> {
  if (route.scope !== "partner" || route.forUser) return mine.uuid;
  const [partner] = await db.select().from(partners).where(eq(partners.clientId, actor.partner.clientId));
  if (!partner) throw new Error("the partner was not stored");
  return partner.id;
}

/** The errors of `openapi/error-responses.ts`, shared by every route. They change nothing, so all routes share one user. */
const shared: { [when: string]: Way } = {
  "A query parameter is invalid": (scene) => {
    const [name] = Object.keys((scene.route.query as { shape?: object } | undefined)?.shape ?? {});
    return calling(scene, { query: `${name}=1&${name}=2` });
  },
  "The body is not JSON, or nested too deeply": (scene) => calling(scene, { body: "{" }),
  "The body is larger than 1 MB": (scene) => calling(scene, { body: JSON.stringify("a".repeat(1_048_575)) }),
  "The body has another type": (scene) => calling(scene, { headers: { "content-type": "text/plain" } }),
  "The `Idempotency-Key` is empty or too long": (scene) =>
    calling(scene, { headers: { "idempotency-key": "k".repeat(256) } }),
  "The `Idempotency-Key` was used with another request before": async (scene) => {
    const [ownerId, key] = [await keyOwnerOf(scene), randomUUID()];
    const answered = { bodyHash: Buffer.alloc(32), status: 200, answer: {} };
    await db.insert(idempotencyKeys).values({ ownerId, route: routeNameOf(scene.route), key, ...answered });
    return calling(scene, { headers: { "idempotency-key": key } });
  },
  "The first request with this `Idempotency-Key` is still running": async (scene) => {
    const [ownerId, key] = [await keyOwnerOf(scene), randomUUID()];
    return db.transaction(async (tx) => {
      const turn = [ownerId, routeNameOf(scene.route), key].join(" ");
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`);
      return calling(scene, { headers: { "idempotency-key": key } });
    });
  },
  "A partner's call does not name a user": without,
  "The two headers name different users": async (scene) => {
    const { externalUserId } = await newEndUser(scene.actor.partner);
    const headers = { "x-connect-user-id": scene.mine.uuid, "x-connect-external-user-id": externalUserId };
    return calling(scene, {}, { headers });
  },
  "The partner has no such user": (scene) =>
    calling(scene, {}, { headers: { "x-connect-external-user-id": "customer-42" } }),
  "The user is being deleted": async ({ route }) => {
    deleting ??= newDeleting();
    return calling({ route, ...(await deleting) });
  },
  "The access token is missing, expired or invalid": (scene) => calling(scene, {}, { client: nobody, headers: {} }),
  "The token is not a partner's, or the partner is suspended": (scene) =>
    calling(scene, {}, { client: as(scene.mine.uuid), headers: {} }),
  "The token lacks the scope, the user is suspended, or a token that is not a partner's names a user": (scene) =>
    calling(scene, {}, { ...withoutScope(scene.route, { person: scene.mine }), headers: {} }),
  "The dashboard calls, and the person signed in too long ago. `WWW-Authenticate` asks for a fresh sign-in": async (
    scene,
  ) => {
    const ownerId = await newOwner();
    const headers = { cookie: await sessionCookie(ownerId), origin: new URL(env.appUrl).origin };
    const stale = { authenticatedAt: sql`now() - interval '11 minutes'` };
    await db.update(sessions).set(stale).where(eq(sessions.userId, ownerId));
    return calling(scene, { headers }, { client: nobody, headers: {} });
  },
  "It does not exist, or belongs to someone else; the answer is the same": (scene) => ofNobody(scene),
};

function ofNobody({ route, actor, mine }: Scene): Promise<RecordedResponse> {
  const [naming] = Object.values(examples[routeNameOf(route)]?.naming ?? {});
  if (!naming) throw new Error(`no example of ${routeNameOf(route)} names a thing`);
  return ask(actor, route, naming.call(mine, noThings()));
}

async function groupNameOf({ mine }: Scene): Promise<string> {
  const [group] = await db.select().from(accountGroups).where(eq(accountGroups.id, mine.groupId));
  if (!group) throw new Error("the group was deleted");
  return group.name;
}

/** The failed schedule becomes one whose message in Telegram may have been sent. */
async function withUnreadable(scene: Scene): Promise<RecordedResponse> {
  const [publication] = await db
    .update(publications)
    .set({ status: "UNKNOWN", dueAt: null })
    .where(eq(publications.scheduleId, scene.mine.failedId))
    .returning();
  const { id = 0, accountId = 0 } = publication ?? {};
  await db.update(accounts).set({ platform: "TELEGRAM" }).where(eq(accounts.id, accountId));
  const [post] = await db.update(posts).set({ status: "UNKNOWN" }).where(eq(posts.publicationId, id)).returning();
  const sent = { name: "send", state: "SENDING", irreversible: true, workerId: randomUUID() } as const;
  await db.insert(publishSteps).values({ ...sent, postId: post?.id ?? 0, startedAt: sql`now()` });
  return calling(scene);
}

const ZIP = Buffer.from(`PK\x03\x04\x14\0\0\0\x08\0${"\0".repeat(40)}`, "latin1");
const tooLong = ({ mine }: Scene) => ({
  scheduledTime: "2030-01-01T12:00:00Z",
  publications: [
    {
      socialMediaAccountId: mine.accountId,
      platformSettings: { type: "TWITTER" },
      posts: [{ content: "a".repeat(312) }],
    },
  ],
});
/** Sets the text of every post of a schedule. */
async function saying(scheduleId: number, content: string): Promise<void> {
  const ofSchedule = sql`publication_id in (select id from publications where schedule_id = ${scheduleId})`;
  await db.update(posts).set({ content, attachmentPaths: [] }).where(ofSchedule);
}

const publishing: Way = async (scene) => {
  await db.update(schedules).set({ status: "IN_PROGRESS" }).where(eq(schedules.id, scene.mine.scheduleId));
  return calling(scene);
};

/** Makes the schedule one that an application proposed. */
async function proposed({ mine }: Scene, values: Partial<typeof schedules.$inferInsert> = {}): Promise<void> {
  const mark = { proposedAt: sql`now()`, proposedBy: "Agent", proposedClientId: "agent" };
  await db
    .update(schedules)
    .set({ status: "DRAFT", ...mark, ...values })
    .where(eq(schedules.id, mine.scheduleId));
}

/** Calls with a token that has only the scope `posts.propose`. Without a post, changes one that the token has proposed. */
const onlyProposing =
  (on: "new" | "own"): Way =>
  async (scene) => {
    const { mine, route } = scene;
    const client = as(mine.uuid, ["posts.propose"]);
    const by = { client, headers: {} };
    if (on === "new") return calling(scene, {}, by);
    const { publications: parts } = tooLong(scene);
    const body = { isDraft: true, publications: parts.map((part) => ({ ...part, posts: [{ content: "a" }] })) };
    const { id } = (await (await client.post("/v1/posts", body)).json()) as { id: number };
    return ask({ ...scene.actor, ...by }, route, {
      params: { id },
      body: { ...body, ...tooLong(scene), isDraft: false },
    });
  };

/** Deletes the file's row after the checks, while the statement that stores the schedule waits for it. */
const withFileRemoved: Way = async (scene) => {
  const { mine, actor, route } = scene;
  const key = `${mine.uuid}/${mine.spareName}`;
  const [post] = tooLong(scene).publications;
  const body = {
    ...tooLong(scene),
    publications: [{ ...post, posts: [{ content: "a", attachmentPaths: [key] }] }],
  };
  const held = { key, from: "from media where key = $1", change: "delete from media where key = $1" };
  return whileRowLocked(held, () => ask(actor, route, { body }));
};

const INSIDE = { url: "https://10.0.0.5/", events: ["post.failed"] };
const withDisabled: Way = async (scene) => {
  await db
    .update(webhookEndpoints)
    .set({ disabledAt: sql`now()` })
    .where(eq(webhookEndpoints.id, scene.mine.webhookId));
  return calling(scene);
};

const EXPIRING = { FACEBOOK: "Facebook", PINTEREST: "Pinterest", TIKTOK: "TikTok", YOUTUBE: "YouTube" };

/** Makes an account whose permission has expired. */
async function expired(scene: Scene, platform: keyof typeof EXPIRING): Promise<number> {
  const { id } = await connectAccount(scene.mine.uuid, platform);
  const name = EXPIRING[platform];
  const stateReason = `${name} no longer accepts this account's permission. Reconnect the account`;
  await db
    .update(accounts)
    .set({ tokensSealed: null, state: "RECONNECT_REQUIRED", stateReason })
    .where(eq(accounts.id, id));
  return id;
}

async function held(id: number): Promise<number> {
  await db.update(accounts).set({ heldSince: sql`now()` }).where(eq(accounts.id, id));
  return id;
}

/** The exception of `EGRESS_ALLOW` for the feed of this file's tests. */
const FEEDS = 12;
const EMPTY_FEED = '<rss version="2.0"><channel><title>Bells</title></channel></rss>';

/** The errors of single routes, by operation and `when`. Each changes the things of a new user. */
const own: { [operationAndWhen: string]: Way } = {
  "listChats The platform has no destinations, or the account belongs to another platform": (scene) =>
    calling(scene, { query: "platform=FACEBOOK" }),
  "listChats The network no longer accepts the account's permission": async (scene) =>
    calling(scene, { params: { id: await expired(scene, "FACEBOOK") }, query: "platform=FACEBOOK" }),
  "listSections The network no longer accepts the account's permission": async (scene) =>
    calling(scene, { params: { id: await expired(scene, "PINTEREST"), chatId: "1" } }),
  "listSections The account is held": async (scene) =>
    calling(scene, { params: { id: await held(scene.mine.telegramId), chatId: scene.mine.chatId } }),
  "accountOptions The network no longer accepts the account's permission": async (scene) =>
    calling(scene, { params: { id: await expired(scene, "TIKTOK") } }),
  "listChats The account is held": async (scene) =>
    calling(scene, { params: { id: await held(scene.mine.telegramId) } }),
  "accountOptions The account is held": async (scene) =>
    calling(scene, { params: { id: await held(scene.mine.telegramId) } }),
  "listSettingOptions The network no longer accepts the account's permission": async (scene) =>
    calling(scene, { params: { id: await expired(scene, "YOUTUBE"), setting: "playlistId" } }),
  "listSettingOptions The account is held": async (scene) =>
    calling(scene, { params: { id: await held(scene.mine.telegramId), setting: "playlistId" } }),
  "authorizeUrl A field or `x-api-key` is missing or invalid, or the network cannot be connected": (scene) =>
    calling(scene, { sendsKey: undefined }),
  "createConnectSession A field is missing or invalid, or a network cannot be connected": (scene) =>
    calling(scene, { body: { origins: ["http://app.acme.example"] } }),
  "authorizeUrl `x-api-key` is not the client ID of the calling partner": (scene) =>
    calling(scene, { headers: { "x-api-key": randomUUID() } }),
  "provisionConnectUser A field is missing or invalid": (scene) =>
    calling(scene, { body: { externalUserId: randomUUID() } }),
  "provisionConnectUser The user is being deleted": async ({ route }) => {
    const stage = await newDeleting();
    return calling({ route, ...stage }, { body: { externalUserId: stage.mine.externalUserId, name: "A" } });
  },
  "revokeApplication The user has not allowed it": (scene) =>
    calling(scene, { params: { id: allowedApplicationExample.id } }),
  "createAccountGroup A field is missing or invalid": (scene) => calling(scene, { body: { name: " " } }),
  "createAccountGroup There are 100 groups already, or the name is taken": async (scene) =>
    calling(scene, { body: { name: await groupNameOf(scene), colour: "GOLD" } }),
  "updateAccountGroup A field is invalid": (scene) => calling(scene, { body: { colour: "MAUVE" } }),
  "updateAccountGroup The name is taken": async (scene) => {
    const name = await groupNameOf(scene);
    await db.insert(accountGroups).values({ ownerId: scene.mine.uuid, name: `${name} 2`, colour: "BLUE" });
    return calling(scene, { body: { name: `${name} 2` } });
  },
  "createFeed The URL cannot be read, or is not a feed": (scene) => calling(scene),
  "createFeed A draft could not be made from the template": ofNobody,
  "createFeed There are 100 feeds already": async (scene) => {
    const source = await serveFiles((_, response) => response.end(EMPTY_FEED), env.egressAllow[FEEDS]?.port);
    const [feed] = await db.select().from(feeds).where(eq(feeds.id, scene.mine.feedId));
    if (!feed) throw new Error("the feed was removed");
    const { id: _, ...values } = feed;
    await db.insert(feeds).values(Array.from({ length: 99 }, () => values));
    const { template } = feed;
    return calling(scene, { body: { url: source.url, template } }).finally(() => source.close());
  },
  "setSlots A field is missing or invalid": (scene) => calling(scene, { body: { slots: [] } }),
  "nextSlots An account does not belong to the user": ofNobody,
  "readAttention `readTime` is missing or invalid": (scene) => calling(scene, { body: {} }),
  "setNotifications A field is missing or invalid": (scene) => calling(scene, { body: {} }),
  "createImport The URL cannot be imported": (scene) => calling(scene, { body: { url: "ftp://example.com/a" } }),
  "getImport The import does not exist, or belongs to another user": ofNobody,
  "confirmUpload The file is damaged, or not a picture, video or PDF that can be published": async (scene) => {
    const { mine, actor } = scene;
    const asked = { filename: "a.zip", contentType: "image/png", sizeBytes: ZIP.length };
    const granted = await actor.client.request("/v1/media/upload/urls", {
      method: "POST",
      headers: { "content-type": "application/json", "x-connect-user-id": mine.uuid },
      body: JSON.stringify(asked),
    });
    const { key, url, headers } = (await granted.json()) as {
      key: string;
      url: string;
      headers: { [name: string]: string };
    };
    const { pathname, search } = new URL(url);
    const sent = { ...headers, "content-length": String(ZIP.length) };
    await nobody.request(`${pathname}${search}`, { method: "PUT", headers: sent, body: new Uint8Array(ZIP) });
    return calling(scene, { body: { key } });
  },
  "confirmUpload Nothing was uploaded yet, or the key belongs to another user": ofNobody,
  "deleteMedia A post that has not ended uses the file": (scene) =>
    calling(scene, { params: { key: scene.mine.mediaPath.slice(scene.mine.uuid.length + 1) } }),
  "updateMedia No field is given, or one is invalid": (scene) =>
    calling(scene, { body: { altText: "a".repeat(4087) } }),
  "updateMedia An application changes what a person approved in a post that is being published or can be tried again":
    async (scene) => {
      await proposed(scene, { status: "FAILED", approvedDigest: "a" });
      return calling(scene, { params: { key: scene.mine.mediaPath.slice(scene.mine.uuid.length + 1) } });
    },
  "grantUpload `sizeBytes` is more than 100 MB": (scene) =>
    calling(scene, { body: { filename: "a.mp4", contentType: "video/mp4", sizeBytes: 104_857_601 } }),
  "uploadMedia The file is missing, damaged, or not a picture, video or PDF that can be published": (scene) =>
    calling(scene, { body: formOf({ bytes: ZIP, filename: "a.zip" }) }),
  "uploadMedia The file is larger than 100 MB": (scene) =>
    calling(scene, { headers: { "content-length": String(110 * 1_048_576) } }),
  "repeatPost A field is missing or invalid": (scene) =>
    calling(scene, { body: { every: "DAY", time: "09:30", timeZone: "UTC", count: 101 } }),
  "repeatPost There are no dates, or more than 100": (scene) =>
    calling(scene, { body: { every: "DAY", time: "09:30", timeZone: "UTC", until: "2029-12-31" } }),
  "repeatPost A network would reject the post, so nothing was created": async (scene) => {
    await saying(scene.mine.scheduleId, "a".repeat(312));
    return calling(scene);
  },
  "mergePosts A field is missing or invalid": (scene) =>
    calling(scene, { body: { ids: [scene.mine.scheduleId, scene.mine.twinId], keep: scene.mine.failedId } }),
  "mergePosts A network would reject the result": async (scene) => {
    const { twinId, uuid } = scene.mine;
    const { id: accountId } = await connectAccount(uuid, "X_TWITTER");
    await db.update(publications).set({ accountId }).where(eq(publications.scheduleId, twinId));
    await saying(twinId, "a".repeat(312));
    return calling(scene);
  },
  "mergePosts One of the posts does not exist, or belongs to someone else; the answer is the same": ofNobody,
  "mergePosts One of the posts has started, or has ended": async (scene) => {
    await db.update(schedules).set({ status: "IN_PROGRESS" }).where(eq(schedules.id, scene.mine.twinId));
    return calling(scene);
  },
  "mergePosts Two posts say different things on one account or destination": async (scene) => {
    await saying(scene.mine.twinId, "something else");
    return calling(scene);
  },
  "mergePosts One of the posts was changed in the meantime": (scene) =>
    whileRowLocked(
      {
        key: scene.mine.twinId,
        from: "from schedules where id = $1",
        change: "update schedules set scheduled_time = now() where id = $1",
      },
      () => calling(scene),
    ),
  "createReviewLink `days` is missing, or not from 1 to 30": (scene) => calling(scene, { body: { days: 31 } }),
  "createReviewLink There are 50 review links already": async (scene) => {
    const { scheduleId } = scene.mine;
    const values = () => ({ scheduleId, tokenHash: sha256(randomUUID()), expiresAt: "2090-01-01T00:00:00Z" });
    await db.insert(reviewLinks).values(Array.from({ length: 49 }, values));
    return calling(scene);
  },
  "deleteReviewLink The post or the review link does not exist, or belongs to someone else": ofNobody,
  "reactToFeedback A field is invalid": (scene) => calling(scene, { body: { isClosed: "yes" } }),
  "reactToFeedback The post or the feedback does not exist, or belongs to someone else": ofNobody,
  "createWebhook Nothing can ever be sent to the URL": (scene) => calling(scene, { body: INSIDE }),
  "createWebhook There are 50 webhooks already": async (scene) => {
    const values = {
      ownerId: scene.mine.uuid,
      url: INSIDE.url,
      events: INSIDE.events,
      secretSealed: seal("webhook secret", "never read", "secret"),
    };
    await db.insert(webhookEndpoints).values(Array.from({ length: 49 }, () => values));
    return calling(scene);
  },
  "updateWebhook Nothing can ever be sent to the URL": (scene) => calling(scene, { body: INSIDE }),
  "rotateWebhookSecret Ten earlier secrets still sign": async (scene) => {
    const { webhookId: endpointId } = scene.mine;
    const values = {
      endpointId,
      secretSealed: seal("webhook secret", "never read", "secret"),
      expiresAt: "2090-01-01T00:00:00Z",
    };
    await db.insert(webhookEarlierSecrets).values(Array.from({ length: 10 }, () => values));
    return calling(scene);
  },
  "testWebhook The webhook is disabled": withDisabled,
  "redeliver The webhook is disabled": withDisabled,
  "redeliver The webhook or the delivery does not exist, or belongs to someone else": (scene) => ofNobody(scene),
  "createPost Fields are missing or invalid, or a network would reject the post; all problems are listed": (scene) =>
    calling(scene, { body: tooLong(scene) }),
  "createPost The token has only the scope `posts.propose`, and the post is not a draft": onlyProposing("new"),
  "createPost A file was deleted in the meantime": withFileRemoved,
  "importPosts The file is not CSV in UTF-8, has an unknown column, no rows, or more than 500": (scene) =>
    calling(scene, { body: `text\n${"a\n".repeat(501)}` }),
  "importPosts A row is invalid, so nothing was created": (scene) =>
    calling(scene, {
      body: `scheduledTime,accounts,text\n2030-01-01T12:00:00Z,${scene.mine.accountId},${"a".repeat(312)}\n`,
    }),
  "importPosts The file is larger than 2 MB": (scene) => calling(scene, { body: "a".repeat(2 * 1_048_576 + 1) }),
  "importPosts The body is not text/csv": (scene) => calling(scene, { headers: { "content-type": "text/plain" } }),
  "deletePost The post has changed since the version in `If-Match`": (scene) =>
    calling(scene, { headers: { "if-match": '"another"' } }),
  "deletePost The post is being published": publishing,
  "leavePost Nothing has failed": (scene) => calling(scene, { params: { id: scene.mine.scheduleId } }),
  "retryPost Nothing has failed, or the post is being published": (scene) =>
    calling(scene, { params: { id: scene.mine.scheduleId } }),
  "retryPost The outcome is unknown and the network cannot tell it, and `sendAgain` is not true": withUnreadable,
  "updatePost Fields are missing or invalid, or a network would reject the post; all problems are listed": (scene) =>
    calling(scene, { body: tooLong(scene) }),
  "updatePost The post has changed since the version in `If-Match`": (scene) =>
    calling(scene, { headers: { "if-match": '"another"' } }),
  "updatePost Publishing has started or ended": publishing,
  "updatePost The token has only the scope `posts.propose`, and the post is not a draft": onlyProposing("own"),
  "approvePost Fields are missing or invalid, or a network would reject the post; all problems are listed": async (
    scene,
  ) => {
    const { actor, mine } = scene;
    await proposed(scene);
    await saying(mine.scheduleId, "a".repeat(312));
    const shown = await actor.client.get(`/v1/posts/${mine.scheduleId}`, actor.headers);
    const { proposal } = (await shown.json()) as { proposal: { digest: string } };
    return calling(scene, { body: { digest: proposal.digest, scheduledTime: "2030-01-01T12:00:00Z" } });
  },
  "approvePost The post is no longer the one that the digest names": async (scene) => {
    await proposed(scene);
    return calling(scene);
  },
  "approvePost The post is not a proposal or not a draft, or its media are still being fetched": (scene) =>
    calling(scene),
};

/**
 * Calls the route so that it answers with this error.
 * @throws for an error that cannot be provoked yet
 */
export async function provoke({ when }: ErrorResponse, route: NamedRoute): Promise<RecordedResponse> {
  const ownWay = own[`${route.operationId} ${when}`];
  if (ownWay) return ownWay({ route, ...(await newStage()) });
  const way = shared[when];
  if (!way) throw new Error(`lib/api/testing/refused.ts does not say how to provoke "${when}" of ${route.operationId}`);
  common ??= newStage();
  return way({ route, ...(await common) });
}

export const routesWithErrors = Object.keys(own);

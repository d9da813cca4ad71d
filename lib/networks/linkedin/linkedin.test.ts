import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { env } from "../../env";
import { dryRun } from "../dry-run";
import { PlatformError } from "../errors";
import type { NetworkSession, OutgoingPost } from "../network";
import { failureOf, memoryRun, newMemory, submitConsent } from "../testing";
import { linkedin } from ".";
import { publishDocument, publishImages, publishText, publishVideo } from "./publish";
import type { LinkedInSettings } from "./settings";
import { connect, linkedInSandbox, post } from "./testing/sandbox";

type Sandbox = Awaited<ReturnType<typeof linkedInSandbox>>;
type Post = OutgoingPost<LinkedInSettings>;
let sandbox: Sandbox;
let alice: NetworkSession;

beforeAll(async () => {
  sandbox = await linkedInSandbox();
  alice = await sandbox.connected("alice");
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.switches({});
});
afterAll(() => sandbox.close());

const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text === text);
const calls = async (operation: string) => (await sandbox.calls()).filter((call) => call.operation === operation);
const run = (memory = newMemory(), session: NetworkSession = alice) => memoryRun(session, memory);
const text = (content: string, memory = newMemory(), session = alice) =>
  publishText(post(content), run(memory, session));
const images = async (content: string, count = 1): Promise<Post> =>
  post(content, { media: await Promise.all(Array.from({ length: count }, (_, n) => sandbox.image({ shade: n * 9 }))) });

describe("connect", () => {
  test("returns a 60-day token and the granted scopes, normally without a refresh token", () => {
    expect(alice.tokens).toMatchObject({ accessToken: expect.any(String), refreshToken: undefined });
    expect(alice.tokens.scopes).toEqual([...connect.requiredScopes, "w_organization_social", "rw_organization_admin"]);
    expect(Date.parse(alice.tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(59 * 86_400_000);
  });

  test("reads the member; the name replaces the handle", async () => {
    expect(await linkedin.profile(alice)).toEqual({
      accountId: expect.stringMatching(/^\w{10}$/),
      username: "Alice Sandbox",
      displayName: "Alice Sandbox",
      avatarUrl: expect.stringMatching(/^http/),
    });
  });

  test("reports a declined consent", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(sandbox.app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=user_cancelled_authorize");
  });

  test("asks to sign in again after a wrong code", async () => {
    const callback = { code: "wrong", redirectUri: "http://localhost:3000/cb", verifier: "", keep: {} };
    expect(await failureOf(connect.exchange(sandbox.app, callback))).toMatchObject({
      kind: "reconnect",
      refused: true,
    });
  });
});

describe("refresh", () => {
  test("requires connecting again without a refresh token, without a call", async () => {
    const before = (await calls("refresh")).length;
    expect(await failureOf(Promise.resolve(linkedin.refresh?.run(sandbox.app, alice.tokens)))).toMatchObject({
      kind: "reconnect",
      message: expect.stringContaining("60 days"),
    });
    expect((await calls("refresh")).length).toBe(before);
  });

  test("returns new tokens to an approved partner, any number of times within the year", async () => {
    await sandbox.switches({ refreshTokens: true });
    const bob = await sandbox.connected("bob");
    const fresh = [];
    for (let time = 0; time < 2; time++) fresh.push(await linkedin.refresh?.run(sandbox.app, bob.tokens));
    expect(new Set([bob.tokens, ...fresh].map((tokens) => tokens?.accessToken)).size).toBe(3);
    expect(fresh[0]?.refreshToken).toBe(bob.tokens.refreshToken);
    await sandbox.advance(365 * 86_400);
    expect(await failureOf(Promise.resolve(linkedin.refresh?.run(sandbox.app, bob.tokens)))).toMatchObject({
      kind: "reconnect",
    });
    alice = await sandbox.connected("alice");
  });
});

describe("publish", () => {
  test("publishes a text with all reserved characters", async () => {
    const content = "50% (or more) of @us: #bells_ring {now} [*] <3 ~ a_b|c \\ #1 example.com/a_(b)#c";
    const published = await text(content);
    const [one, ...more] = await held(content);
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: `https://www.linkedin.com/feed/update/${one?.id}/` });
    expect(published.id).toMatch(/^urn:li:share:\d+$/);
  });

  test("publishes a mention by its URN", async () => {
    await text("With @[Acme (Bells)](urn:li:organization:123) today");
    expect(await held("With Acme (Bells) today")).toHaveLength(1);
  });

  test.each(["PUBLIC", "CONNECTIONS"] as const)("publishes with visibility %s", async (visibility) => {
    await publishText(post(`Seen by ${visibility}`, { settings: { visibility } }), run());
    expect(await held(`Seen by ${visibility}`)).toMatchObject([{ settings: { visibility } }]);
  });

  test("rejects a post to a group with the reason, without a call", async () => {
    const before = (await sandbox.calls()).length;
    const sent = { ...(await images("To a group")), settings: { visibility: "GROUP" as const } };
    expect(await failureOf(publishImages(sent, run()))).toMatchObject({
      kind: "rejected",
      message: "LinkedIn's API no longer posts to groups",
    });
    expect((await sandbox.calls()).length).toBe(before);
  });

  test("publishes an image with and without text", async () => {
    await publishImages(await images("One image"), run());
    expect(await held("One image")).toMatchObject([{ media: [{ type: "image/jpeg" }] }]);
    const published = await publishImages(await images(""), run());
    expect((await sandbox.posts()).find(({ id }) => id === published.id)?.media).toHaveLength(1);
  });

  test.each([2, 20])("publishes %i images in order", async (count) => {
    const sent = await images(`${count} images`, count);
    await publishImages(sent, run());
    const [one] = await held(`${count} images`);
    expect(one?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(sent.media.map(({ sizeBytes }) => sizeBytes));
  });

  test("sends the alternative texts recorded at the first try", async () => {
    const sent = await images("Described", 2);
    const media = sent.media.map((one, index) => (index === 1 ? { ...one, altText: "A bell" } : one));
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publishImages({ ...sent, media }, run(memory)))).toMatchObject({ kind: "unknown" });
    const changed = media.map((one) => ({ ...one, altText: "Another text" }));
    await publishImages({ ...sent, media: changed }, run(memory));
    expect((await held("Described")).map(({ settings }) => settings.altTexts)).toEqual([[null, "A bell"]]);
    const [alone] = changed;
    if (alone) await publishImages(post("Described alone", { media: [alone] }), run());
    expect(await held("Described alone")).toMatchObject([{ settings: { altTexts: ["Another text"] } }]);
  });

  test("waits for an image that is still processed, and uploads a failed one once more", async () => {
    await sandbox.switches({ imageSeconds: 60 });
    const memory = newMemory();
    const sent = await images("Slow image");
    expect(await failureOf(publishImages(sent, run(memory)))).toMatchObject({ kind: "later", retryAfterSeconds: 120 });
    await sandbox.advance(61);
    await publishImages(sent, run(memory));
    expect(await held("Slow image")).toHaveLength(1);

    await sandbox.switches({});
    await sandbox.fault({ operation: "upload", fault: "processing_fails" });
    await publishImages(await images("Good image"), run());
    expect(await held("Good image")).toHaveLength(1);
    await sandbox.fault({ operation: "upload", fault: "processing_fails", times: 2 });
    expect(await failureOf(publishImages(await images("Bad image"), run()))).toMatchObject({ kind: "rejected" });
    expect(await held("Bad image")).toEqual([]);
  });
});

describe("documents", () => {
  const document = (content: string, facts: object = {}, more: object = {}) =>
    post(content, { media: [sandbox.document(facts)], ...more });

  test("a PDF is uploaded and posted with the name of its file, or the given title", async () => {
    const published = await publishDocument(document("Scores"), run());
    const [one] = await held("Scores");
    expect(one).toMatchObject({
      id: published.id,
      media: [{ type: "application/pdf" }],
      settings: { title: "The bells" },
    });
    const settings = { visibility: "PUBLIC" as const, documentTitle: "For four bells" };
    await publishDocument(document("Titled", {}, { settings }), run());
    expect(await held("Titled")).toMatchObject([{ settings: { title: "For four bells" } }]);
  });

  test("of a page belongs to the page", async () => {
    const chatId = await sandbox.page("alice", "120");
    await publishDocument(document("Scores of a page", {}, { chatId }), run());
    expect(await held("Scores of a page")).toMatchObject([{ settings: { author: chatId } }]);
  });

  test("that LinkedIn cannot process: uploaded once more, then the post fails", async () => {
    await sandbox.switches({ imagesReadable: true });
    const { kind, message } = await failureOf(publishDocument(document("Too long", { pages: 301 }), run()));
    expect([kind, message]).toEqual(["rejected", "LinkedIn could not process the document"]);
    expect(await held("Too long")).toEqual([]);
  });

  test("a lost answer: the post is found, and nothing is uploaded again", async () => {
    const memory = newMemory();
    const sent = document("Lost scores");
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publishDocument(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    const uploads = (await calls("upload")).length;
    const published = await publishDocument(sent, run(memory));
    expect((await held("Lost scores")).map(({ id }) => id)).toEqual([published.id]);
    expect((await calls("upload")).length).toBe(uploads);
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body", "refuse", "http_500"])(
    "%s: looks up the post by sending it again, and publishes once",
    async (fault) => {
      const memory = newMemory();
      await sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(text(`Lost by ${fault}`, memory))).toMatchObject({ kind: "unknown", refused: false });
      const published = await text(`Lost by ${fault}`, memory);
      expect((await held(`Lost by ${fault}`)).map(({ id }) => id)).toEqual([published.id]);
    },
  );

  test("does not send again a post older than LinkedIn remembers, so it cannot be published twice", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(text("Long ago", memory));
    memory.intents.set("post, upload 1", { since: new Date(Date.now() - 9.5 * 60_000) });
    const before = (await calls("publish")).length;
    expect(await failureOf(text("Long ago", memory))).toMatchObject({ kind: "unknown" });
    expect((await calls("publish")).length).toBe(before);
    expect(await held("Long ago")).toHaveLength(1);
  });

  test("of the second upload: repeats only that one, never the post refused with the first upload", async () => {
    const losing: NetworkSession = {
      ...alice,
      async fetch(path, call) {
        const answer = await alice.fetch(path, call);
        if (path === "/rest/posts") throw new PlatformError("unknown", "lost");
        return answer;
      },
    };
    const memory = newMemory();
    const sent = await images("Second upload");
    const before = (await calls("publish")).length;
    await sandbox.fault({ operation: "upload", fault: "processing_fails" });
    expect(await failureOf(publishImages(sent, run(memory, losing)))).toMatchObject({ message: "lost" });
    const { id } = await publishImages(sent, run(memory));
    expect((await calls("publish")).slice(before).map(({ status }) => status)).toEqual([400, 201, 422]);
    expect((await held("Second upload")).map((one) => one.id)).toEqual([id]);
  });

  test.each(["x-restli-id", "x-linkedin-id"])("reads the ID of a new post from %s", async (idHeader) => {
    await sandbox.switches({ idHeader });
    const published = await text(`Named in ${idHeader}`);
    expect(published.id).toBe((await held(`Named in ${idHeader}`))[0]?.id);
  });

  test("an answer without the ID: published, with unknown address, never sent again", async () => {
    const silent: NetworkSession = {
      ...alice,
      async fetch(path, call) {
        const answer = await alice.fetch(path, call);
        return path === "/rest/posts" ? new Response(null, { status: answer.status }) : answer;
      },
    };
    const memory = newMemory();
    expect(await text("Without an id", memory, silent)).toEqual({ id: "" });
    expect(await text("Without an id", memory)).toEqual({ id: "" });
    expect(await held("Without an id")).toHaveLength(1);
  });
});

describe("company pages", () => {
  test("lists the pages that the member may post to, by name", async () => {
    const admin = await sandbox.connected("pageadmin");
    const [first, second] = [await sandbox.page("pageadmin", "101"), await sandbox.page("pageadmin", "102")];
    await sandbox.page("pageadmin", "103", { role: "ANALYST" });
    await sandbox.page("other", "104");
    expect(await linkedin.destinations?.list?.(admin)).toEqual([
      { id: first, title: "Page 101", type: "PAGE" },
      { id: second, title: "Page 102", type: "PAGE" },
    ]);
  });

  test.each([
    ["ADMINISTRATOR", "105"],
    ["CONTENT_ADMIN", "106"],
    ["CONTENT_ADMINISTRATOR", "107"],
    ["DIRECT_SPONSORED_CONTENT_POSTER", "108"],
  ])("a member with the role %s finds the page and posts to it", async (role, id) => {
    const chatId = await sandbox.page("alice", id, { role });
    expect(await linkedin.destinations?.list?.(alice)).toContainEqual({
      id: chatId,
      title: `Page ${id}`,
      type: "PAGE",
    });
    await publishText(post(`Posted as ${role}`, { chatId }), run());
    expect(await held(`Posted as ${role}`)).toMatchObject([{ settings: { author: chatId } }]);
  });

  test.each([
    ["/rest/organizations?", "onlylookup"],
    ["/rest/organizationsLookup?", "nolookup"],
  ])("are named although LinkedIn does not answer %s", async (path, name) => {
    const admin = await sandbox.connected(name);
    const id = await sandbox.page(name, "120");
    const fetch: typeof admin.fetch = (asked, call) => admin.fetch(asked.replace(path, "/rest/nothing?"), call);
    expect(await linkedin.destinations?.list?.({ ...admin, fetch })).toEqual([{ id, title: "Page 120", type: "PAGE" }]);
  });

  test("lists none, without a call, for a member who did not grant the permission", async () => {
    const before = (await sandbox.calls()).length;
    const session = { ...alice, tokens: { ...alice.tokens, scopes: connect.requiredScopes } };
    expect(await linkedin.destinations?.list?.(session)).toEqual([]);
    expect((await sandbox.calls()).length).toBe(before);
  });

  test("asks for the permission only if the operator says that the app has it", async () => {
    Object.assign(env, { linkedinPages: false });
    onTestFinished(() => void Object.assign(env, { linkedinPages: true }));
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(sandbox.app, request);
    expect(new URL(url).searchParams.get("scope")).toBe("openid profile w_member_social");
  });

  test("a text with a card, images and a video are posted by the page, which owns the files", async () => {
    const chatId = await sandbox.page("alice", "110");
    await publishText(post("Text of a page", { chatId }), run());
    await publishImages({ ...(await images("Images of a page", 2)), chatId }, run());
    await publishVideo(post("Video of a page", { chatId, media: [sandbox.video()] }), run());
    for (const content of ["Text of a page", "Images of a page", "Video of a page"])
      expect(await held(content)).toMatchObject([{ settings: { author: chatId } }]);
  });

  test("a lost answer: the page's post is found and not published twice", async () => {
    const chatId = await sandbox.page("alice", "111");
    const memory = newMemory();
    const sent = post("Lost answer of a page", { chatId });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publishText(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    const published = await publishText(sent, run(memory));
    expect((await held("Lost answer of a page")).map(({ id }) => id)).toEqual([published.id]);
  });

  test("a page that the member may no longer post to: the post fails, and the app is not blamed", async () => {
    const chatId = await sandbox.page("alice", "112", { role: "ANALYST" });
    expect(await failureOf(publishText(post("No role", { chatId }), run()))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("may no longer post to this LinkedIn page"),
    });
    expect(await held("No role")).toEqual([]);
  });
});

describe("errors", () => {
  test("a repeated post without a lost answer is a duplicate and does not adopt the other post", async () => {
    await text("Said twice");
    expect(await failureOf(text("Said twice"))).toMatchObject({
      kind: "rejected",
      refused: true,
      duplicate: true,
      answer: { message: expect.stringContaining("urn:li:share:") },
    });
  });

  test("rejects a text that is too long", async () => {
    expect(await failureOf(text("x".repeat(3001)))).toMatchObject({
      kind: "rejected",
      message: "LinkedIn refused the text: it is too long",
    });
  });

  test("waits until midnight UTC for the daily limit", async () => {
    const carol = await sandbox.connected("carol");
    const call = { "linkedin-version": "202609", "x-restli-protocol-version": "2.0.0" };
    for (let n = 0; n < 150; n++) await failureOf(carol.fetch("/rest/posts", { headers: call }));
    const error = await failureOf(text("One too many", newMemory(), carol));
    expect(error).toMatchObject({ kind: "later", refused: true, answer: { status: 429 } });
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    const seconds = (midnight.getTime() - Date.now()) / 1000;
    expect(Math.abs((error.retryAfterSeconds ?? 0) - seconds)).toBeLessThan(5);
  });

  test("an ended API version delays the post and does not affect the account", async () => {
    await sandbox.switches({ retired: linkedin.version.name });
    expect(await failureOf(text("Of another time"))).toMatchObject({ kind: "operator" });
  });

  test("requires connecting again after the token was revoked", async () => {
    const dave = await sandbox.connected("dave");
    await sandbox.fault({ operation: "publish", fault: "revoke_token" });
    expect(await failureOf(text("Revoked", newMemory(), dave))).toMatchObject({
      kind: "reconnect",
      answer: { code: "REVOKED_ACCESS_TOKEN" },
    });
  });
});

test("a dry run shows the requests step by step without reading or sending anything", async () => {
  const before = (await sandbox.calls()).length;
  const shown = async (work: (run: ReturnType<typeof dryRun>["run"]) => Promise<unknown>) => {
    const { run, requests } = dryRun(linkedin, alice);
    await work(run);
    return requests.map(({ method, url, isFinal }) => [
      method,
      new URL(url).pathname.replace("/linkedin", ""),
      isFinal,
    ]);
  };
  expect(await shown((run) => publishText(post("See https://example.com"), run))).toEqual([
    ["POST", "/rest/posts", true],
  ]);
  const two = await images("two", 2);
  const image = [
    ["POST", "/rest/images", false],
    ["PUT", "/dms-uploads/image", false],
  ];
  expect(await shown((run) => publishImages(two, run))).toEqual([
    ...image,
    ...image,
    ...Array(3).fill(["GET", "/rest/images/%7Bimage%20urn%7D", false]),
    ["POST", "/rest/posts", true],
  ]);
  const video = post("a video", { media: [sandbox.video()], thumbnail: await sandbox.image() });
  expect(await shown((run) => publishVideo(video, run))).toEqual([
    ["POST", "/rest/videos", false],
    ["PUT", "/dms-uploads/part", false],
    ["PUT", "/dms-uploads/thumbnail", false],
    ["POST", "/rest/videos", false],
    ["GET", "/rest/videos/%7Bvideo%20urn%7D", false],
    ["POST", "/rest/posts", true],
  ]);
  expect((await sandbox.calls()).length).toBe(before);
});

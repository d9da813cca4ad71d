import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { formatProblems } from "../../schedules/check/publication";
import type { App, NetworkSession, OAuthConnect, OutgoingPost, Published } from "../network";
import {
  connectBy,
  failureOf,
  memoryRun,
  newMemory,
  sandboxApp,
  sandboxFor,
  submitConsent,
  type TestSandbox,
} from "../testing";
import { knownPicture } from "../testing/limits";
import { makeSession } from "../wire/fetch";
import { x } from ".";
import { publishPost } from "./publish";
import type { XSettings } from "./settings";
import { described } from "./testing/described";

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
const connect = x.connect as OAuthConnect; // X's own definition

async function connected(account: string): Promise<NetworkSession> {
  const tokens = await connectBy(app, connect, account);
  const anonymous = makeSession(x, app, { accountId: "", username: "", tokens });
  return makeSession(x, app, { ...(await x.profile(anonymous)), tokens });
}

beforeAll(async () => {
  sandbox = await sandboxFor("x", { described });
  app = sandboxApp(x, sandbox.url, "x");
  alice = await connected("alice");
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

async function setSwitches(switches: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(switches) };
  expect((await fetch(`${sandbox.url}/_control/x/switches`, init)).status).toBe(204);
}

const post = (content: string, more: Partial<OutgoingPost<XSettings>> = {}) => ({
  content,
  media: [],
  settings: {},
  ...more,
});
const publish = (sent: OutgoingPost<XSettings>, memory = newMemory(), session = alice): Promise<Published> =>
  publishPost(sent, memoryRun(session, memory));
const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text.includes(text));
describe("connect", () => {
  test("returns both tokens, their expiry and the granted scopes", () => {
    expect(alice.tokens).toMatchObject({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      scopes: expect.arrayContaining(connect.requiredScopes),
    });
    expect(Date.parse(alice.tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(7000 * 1000);
  });

  test("reads the account with its ID as a string", async () => {
    const profile = await x.profile(alice);
    expect(profile).toMatchObject({ accountId: expect.stringMatching(/^\d+$/), username: expect.any(String) });
    expect(profile.displayName).not.toBe("");
  });

  test.each([
    ["None", undefined],
    ["Basic", undefined],
    ["Premium", 25_000],
    ["PremiumPlus", 25_000],
  ])("with the subscription %s, the longest text is %s", async (subscription, textMax) => {
    await setSwitches({ subscription });
    expect((await x.profile(alice)).textMax).toBe(textMax);
    await setSwitches({});
  });

  test("reports a declined consent as access_denied", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "c".repeat(43), verifier: "" };
    const { url } = await connect.begin(app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=access_denied");
  });

  test("asks to sign in again after a wrong code", async () => {
    const callback = { code: "wrong", redirectUri: "http://localhost:3000/cb", verifier: "v".repeat(43), keep: {} };
    expect(await failureOf(connect.exchange(app, callback))).toMatchObject({ kind: "reconnect", refused: true });
  });
});

describe("refresh", () => {
  test("returns a new pair; the old token requires connecting again", async () => {
    const bob = await connected("bob");
    const fresh = await x.refresh?.run(app, bob.tokens);
    expect(fresh?.refreshToken).not.toBe(bob.tokens.refreshToken);
    expect(await x.profile({ ...makeSession(x, app, { ...bob, tokens: fresh ?? bob.tokens }) })).toBeDefined();
    expect(await failureOf(Promise.resolve(x.refresh?.run(app, bob.tokens)))).toMatchObject({ kind: "reconnect" });
  });

  test("requires connecting again after the account was revoked", async () => {
    const carol = await connected("carol");
    await x.revoke?.(app, carol.tokens);
    expect(await failureOf(x.profile(carol))).toMatchObject({ kind: "reconnect" });
  });
});

describe("publish", () => {
  test("publishes a text", async () => {
    const published = await publish(post("A text of today, see example.com & https://example.com/path?q=1"));
    const [one, ...more] = await held("A text of today");
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
  });

  test("publishes an image without text", async () => {
    const published = await publish(post("", { media: [await sandbox.image()] }));
    const one = (await sandbox.posts()).find(({ id }) => id === published.id);
    expect(one?.media).toHaveLength(1);
  });

  test("publishes four images in order", async () => {
    const media = await Promise.all([10, 60, 110, 160].map((shade) => sandbox.image({ format: "png", shade })));
    await publish(post("Four images", { media }));
    const [one] = await held("Four images");
    expect(one?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(media.map(({ sizeBytes }) => sizeBytes));
  });

  test("sends each alternative text once, before the post", async () => {
    const memory = newMemory();
    const media = [await sandbox.image(), { ...(await sandbox.image({ shade: 60 })), altText: "A bell" }];
    await sandbox.fault({ operation: "publish", fault: "rate_limit" });
    const before = (await sandbox.calls()).length;
    expect(await failureOf(publish(post("Described", { media }), memory))).toMatchObject({ kind: "later" });
    await publish(post("Described", { media }), memory);
    expect((await held("Described"))[0]?.settings).toMatchObject({ altTexts: [null, "A bell"] });
    const paths = (await sandbox.calls()).slice(before).map(({ path }) => path.replace(/^.*\/2\//, ""));
    const writes = paths.filter((path) => !path.startsWith("users/")); // the account's posts are read before the final call
    expect(writes).toEqual(["media/upload", "media/upload", "media/metadata", "tweets", "tweets"]);
  });

  test("publishes a thread; each post replies to the previous one", async () => {
    const first = await publish(post("Thread 1"));
    const second = await publish(post("Thread 2", { after: first }));
    await publish(post("Thread 3", { after: second }));
    expect((await held("Thread")).map(({ replyTo }) => replyTo)).toEqual([undefined, first.id, second.id]);
  });
});

describe("settings", () => {
  const settingsOf = async (text: string) => (await held(text))[0]?.settings;

  test.each([
    ["FOLLOWING", "following"],
    ["MENTIONED", "mentionedUsers"],
    ["SUBSCRIBERS", "subscribers"],
    ["VERIFIED", "verified"],
  ] as const)("limits replies to %s as %s, in the first post of a thread", async (whoCanReply, sent) => {
    const first = await publish(post(`Replies by ${sent}`, { settings: { whoCanReply } }));
    await publish(post(`After ${sent}`, { settings: { whoCanReply }, after: first }));
    expect(await settingsOf(`Replies by ${sent}`)).toEqual({ reply_settings: sent });
    expect(await settingsOf(`After ${sent}`)).toEqual({});
  });

  test("publishes a poll, which runs a day unless the minutes are set", async () => {
    const pollOptions = [" Yes", "No "];
    await publish(post("A poll of a day", { settings: { pollOptions } }));
    await publish(post("A poll of an hour", { settings: { pollOptions, pollMinutes: 60 } }));
    const poll = (duration_minutes: number) => ({ poll: { options: ["Yes", "No"], duration_minutes } });
    expect(await settingsOf("A poll of a day")).toEqual(poll(1440));
    expect(await settingsOf("A poll of an hour")).toEqual(poll(60));
  });

  test("quotes a post by its address or ID if the app's plan includes it; otherwise X refuses the post", async () => {
    const quoted = await publish(post("The quoted post"));
    const quote = `https://x.com/alice/status/${quoted.id}?s=20`;
    expect(await failureOf(publish(post("Quoting without a plan", { settings: { quote } })))).toMatchObject({
      kind: "rejected",
      message: "X does not allow this post to be quoted",
    });
    await setSwitches({ enterprise: true });
    await publish(post("Quoting an address", { settings: { quote } }));
    await publish(post("Quoting an ID", { settings: { quote: quoted.id } }));
    await setSwitches({});
    for (const text of ["Quoting an address", "Quoting an ID"])
      expect(await settingsOf(text)).toEqual({ quote_tweet_id: quoted.id });
  });

  test("finds a quote whose answer was lost, and sends it once", async () => {
    const quoted = await publish(post("Quoted before the loss"));
    const sent = post("Lost with a quote", { settings: { quote: quoted.id } });
    const memory = newMemory();
    await setSwitches({ enterprise: true });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown" });
    const published = await publish(sent, memory);
    await setSwitches({});
    expect((await held("Lost with a quote")).map(({ id }) => id)).toEqual([published.id]);
  });

  test("finds a poll whose answer was lost, and sends it once", async () => {
    const sent = post("Lost with a poll", { settings: { pollOptions: ["Yes", "No"] } });
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown" });
    const published = await publish(sent, memory);
    expect((await held("Lost with a poll")).map(({ id }) => id)).toEqual([published.id]);
  });

  test.each<[object, number, string[]]>([
    [{ pollOptions: ["Yes", "No"] }, 0, []],
    [{ pollOptions: ["Yes"] }, 0, ["settings.count 1"]],
    [{ pollOptions: ["1", "2", "3", "4", "5"] }, 0, ["settings.count 5"]],
    [{ pollOptions: ["Yes", "a".repeat(26)] }, 0, ["poll.length 26"]],
    [{ pollOptions: ["Yes", " "] }, 0, ["poll.length 0"]],
    [{ pollOptions: ["Yes", "No"] }, 1, ["poll.alone"]],
    [{ pollOptions: ["Yes", "No"], quote: "1" }, 0, ["poll.alone", "x.quote_plan"]],
    [{ pollMinutes: 60 }, 0, ["poll.options"]],
    [{ quote: "1" }, 1, ["x.quote_alone", "x.quote_plan"]],
  ])("checks %j with %i images", (settings, images, rules) => {
    const attached = Array.from({ length: images }, () => knownPicture());
    const attachmentPaths = attached.map((_, index) => `file-${index}`);
    const problemsOf = (more: object) =>
      formatProblems(x, x.settings.parse(settings), { content: "A", attachmentPaths, ...more }, attached);
    const found = problemsOf({});
    expect(found.map(({ rule, measured }) => [rule, measured].filter((one) => one !== undefined).join(" "))).toEqual(
      rules,
    );
    expect(found.filter(({ source }) => !source?.startsWith("https://docs.x.com/"))).toEqual([]);
    expect(problemsOf({ isReply: true })).toEqual([]);
  });

  test.each([{ pollMinutes: 4 }, { pollMinutes: 10_081 }, { quote: "https://example.com/1" }, { quote: "-1" }])(
    "refuses %j",
    (settings) => expect(x.settings.safeParse(settings).success).toBe(false),
  );
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body"])("%s: finds the post and sends it once", async (fault) => {
    const memory = newMemory();
    const sent = post(`Lost by ${fault}: see example.com/a, https://example.org/ & more`);
    await sandbox.fault({ operation: "publish", fault });
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown", refused: false });
    const published = await publish(sent, memory);
    expect((await held(`Lost by ${fault}`)).map(({ id }) => id)).toEqual([published.id]);
  });

  test("finds a subscriber's long text, which X cuts in its lists", async () => {
    await setSwitches({ subscription: "Premium" });
    const memory = newMemory();
    const content = `Long and lost: ${"see example.com/a & more. ".repeat(20)}The end`;
    const sent = post(content, { media: [await sandbox.image()] });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown" });
    const published = await publish(sent, memory);
    await setSwitches({});
    expect((await held("Long and lost")).map(({ id }) => id)).toEqual([published.id]);
  });

  test("a late answer: finds the post and sends it once", async () => {
    const memory = newMemory();
    const hasty: NetworkSession = {
      ...alice,
      fetch: (path, call) => alice.fetch(path, { ...call, timeoutSeconds: 0.5 }),
    };
    await sandbox.fault({ operation: "publish", fault: "late_response", afterSeconds: 2 });
    const error = await failureOf(publish(post("Answered late"), memory, hasty));
    expect(error).toMatchObject({ kind: "unknown", answer: { status: 0, code: "TimeoutError" } });
    const published = await publish(post("Answered late"), memory);
    expect((await held("Answered late")).map(({ id }) => id)).toEqual([published.id]);
  });

  test("with images and in a thread: finds the post", async () => {
    const memory = newMemory();
    const first = await publish(post("Beginning of the lost"));
    const sent = post("Lost with an image", { media: [await sandbox.image()], after: first });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish(sent, memory))).toMatchObject({ kind: "unknown" });
    const published = await publish(sent, memory);
    expect((await held("Lost with an image")).map(({ id }) => id)).toEqual([published.id]);
    expect((await sandbox.calls()).filter(({ operation }) => operation === "upload").length).toBeGreaterThan(0);
  });

  test("finds nothing if the call was never processed, and sends nothing again", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "refuse" });
    expect(await failureOf(publish(post("Cut before the work"), memory))).toMatchObject({ kind: "unknown" });
    expect(await failureOf(publish(post("Cut before the work"), memory))).toMatchObject({ kind: "unknown" });
    expect(await held("Cut before the work")).toEqual([]);
  });

  test.each(["http_500", "http_502_html"])("%s ends as unknown, with the answer's status", async (fault) => {
    await sandbox.fault({ operation: "publish", fault });
    const error = await failureOf(publish(post(`Answered by ${fault}`)));
    expect(error).toMatchObject({ kind: "unknown", refused: false, answer: { status: Number(fault.slice(5, 8)) } });
  });
});

describe("errors", () => {
  test("rejects a repeated text", async () => {
    await publish(post("Said twice"));
    expect(await failureOf(publish(post("Said twice")))).toMatchObject({
      kind: "rejected",
      refused: true,
      duplicate: true,
      message: "X refused this post because the same text was already posted to this account",
    });
  });

  test("publishes a text of a subscriber above 280 characters", async () => {
    await setSwitches({ subscription: "Premium" });
    await publish(post("long ".repeat(100)));
    await setSwitches({});
    expect(await held("long ".repeat(100))).toHaveLength(1);
  });

  test("rejects a text that is too long", async () => {
    const error = await failureOf(publish(post("あ".repeat(141))));
    expect(error).toMatchObject({ kind: "rejected", message: "X refused this post because its text is too long" });
  });

  test("waits as stated for a rate limit", async () => {
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 90 });
    const error = await failureOf(publish(post("Too fast")));
    expect(error).toMatchObject({ kind: "later", refused: true });
    expect(error.retryAfterSeconds).toBeGreaterThan(60);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(91);
  });

  test("waits for used-up credits without affecting the account", async () => {
    await setSwitches({ credits: false });
    const error = await failureOf(publish(post("Too dear")));
    await setSwitches({});
    expect(error).toMatchObject({ kind: "operator", refused: true, answer: { status: 402 } });
    expect(await held("Too dear")).toEqual([]);
  });

  test("requires connecting again after the token was revoked", async () => {
    const dave = await connected("dave");
    await sandbox.fault({ operation: "publish", fault: "revoke_token" });
    expect(await failureOf(publish(post("Revoked"), newMemory(), dave))).toMatchObject({ kind: "reconnect" });
  });

  test("uploads expired media again", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 1 });
    const sent = post("Waited for a day", { media: [await sandbox.image()] });
    await failureOf(publish(sent, memory));
    memory.done.set("image 1", { id: "1", until: Date.now() - 1 });
    await sandbox.clearFaults();
    await publish(sent, memory);
    expect(await held("Waited for a day")).toHaveLength(1);
  });
});

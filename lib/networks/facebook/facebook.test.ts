import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { pagesOf } from "../../../sandbox/facebook/state";
import { mp4 } from "../../../sandbox/testing/mp4";
import { env } from "../../env";
import { PlatformError, platformErrorFrom } from "../errors";
import type {
  App,
  FormatName,
  Network,
  NetworkSession,
  OAuthConnect,
  OutgoingMedia,
  OutgoingPost,
  Published,
  Run,
  Tokens,
} from "../network";
import { networkFormat } from "../network";
import {
  connectedTo,
  failureOf,
  killedEverywhere,
  memoryRun,
  newMemory,
  sandboxApp,
  sandboxFor,
  submitConsent,
  type TestSandbox,
} from "../testing";
import { makeSession } from "../wire/fetch";
import { facebook } from ".";
import { isSamePagePost } from "./find";
import { type FacebookSettings, settings } from "./settings";
import { described } from "./testing/described";

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
let pages: string[];
const connect = facebook.connect as OAuthConnect; // Facebook's own definition
const DAY = 86_400;

beforeAll(async () => {
  sandbox = await sandboxFor("facebook", { described });
  app = sandboxApp(facebook, sandbox.url, "facebook");
  alice = await connectedTo(facebook, app, "alice");
  pages = (await facebook.destinations?.list?.(alice))?.map(({ id }) => id) ?? [];
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

type Post = OutgoingPost<FacebookSettings>;
const feed = settings.parse({});
const reels = settings.parse({ publicationType: "REELS" });
const story = settings.parse({ publicationType: "STORY" });
const post = (content: string, more: Partial<Post> = {}): Post => ({
  content,
  media: [],
  settings: feed,
  chatId: pages[0],
  ...more,
});

function publishOn(run: Run, format: FormatName, sent: Post): Promise<Published> {
  const found = networkFormat(facebook, sent.settings, format);
  if (!found) throw new Error("Facebook has no such format");
  return found.publish(sent, run);
}
/** Connects a person who declines this permission. */
async function tokensWithout(account: string, permission: string): Promise<Tokens> {
  const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
  const { url } = await connect.begin(app, request);
  const body = new URLSearchParams({ account, decision: "allow", without: permission });
  const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
  const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
  return connect.exchange(app, { code, redirectUri: request.redirectUri, verifier: "", keep: {} });
}
const wait = () => sandbox.advance(20);
const publish = (format: FormatName, sent: Post, memory = newMemory(), session = alice) =>
  publishOn(memoryRun(session, memory, wait), format, sent);
/** Like the worker: polls again while there is no result. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== "later" || tries === 8) throw error;
    }
  }
}
const held = async (content: string) => (await sandbox.posts()).filter((one) => one.text === content);
const images = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => sandbox.image({ shade: 11 * index })));
function film(shape: Parameters<typeof mp4>[0] = {}): OutgoingMedia {
  const facts = { kind: "video", contentType: "video/mp4", filename: "film.mp4" } as const;
  return sandbox.file(mp4({ seconds: 4, ...shape }), facts);
}
/** About a megabyte, so that it is uploaded in several parts. */
const long = () => film({ seconds: 1100, fps: 60 });

test("a photo whose answer names only the photo has no permalink, so lookups know that the Page may list another ID", async () => {
  const nameless: NetworkSession = {
    ...alice,
    async fetch(path, call) {
      const answer = await alice.fetch(path, call);
      if (!path.endsWith("/photos")) return answer;
      return Response.json({ id: (await answer.json()).id });
    },
  };
  const sent = post("Only the photo", { media: await images(1) });
  const made = await publish("image", sent, newMemory(), nameless);
  expect(made).toEqual({ id: expect.stringMatching(/^\d+$/) });
  expect(await held("Only the photo")).toHaveLength(1);
});

describe("connect", () => {
  test("returns a 60-day token and the granted permissions", () => {
    const days = (Date.parse(alice.tokens.expiresAt ?? "") - Date.now()) / 1000 / DAY;
    expect(days).toBeGreaterThan(59);
    expect(alice.tokens.scopes).toEqual(expect.arrayContaining(connect.requiredScopes));
  });

  test("detects a declined permission although the callback reports none", async () => {
    const tokens = await tokensWithout("dave", "pages_manage_posts");
    expect(tokens.scopes).not.toContain("pages_manage_posts");
  });

  test("also requests the permission to list Pages of a business", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { searchParams } = new URL((await connect.begin(app, request)).url);
    expect(searchParams.get("scope")?.split(",")).toEqual([
      ...connect.requiredScopes,
      "pages_manage_engagement",
      "business_management",
    ]);
  });

  test("requests only what every app has, unless the operator states that the app has more", async () => {
    const { comments } = env;
    Object.assign(env, { facebookBusinessPages: false, comments: { ...comments, facebook: false } });
    onTestFinished(() => void Object.assign(env, { facebookBusinessPages: true, comments }));
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { searchParams } = new URL((await connect.begin(app, request)).url);
    expect(searchParams.get("scope")?.split(",")).toEqual(connect.requiredScopes);
  });

  test("sends a Facebook Login for Business configuration instead of scopes", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { searchParams } = new URL((await connect.begin({ ...app, configId: "77" }, request)).url);
    expect([searchParams.get("config_id"), searchParams.get("scope")]).toEqual(["77", null]);
    const configured = await connectedTo(facebook, { ...app, configId: "77" }, "ivan");
    expect(configured.tokens.scopes).toEqual(expect.arrayContaining(connect.requiredScopes));
  });

  test("reads the account: the name replaces the missing user name", async () => {
    expect(await facebook.profile(alice)).toEqual({
      accountId: expect.stringMatching(/^1\d{16}$/),
      username: "Alice",
      displayName: "Alice",
      avatarUrl: expect.stringMatching(/^http/),
    });
  });

  test("reports a declined consent as access_denied", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=access_denied&error_code=200");
  });

  test("asks to sign in again after a wrong code", async () => {
    const callback = { code: "wrong", redirectUri: "http://localhost:3000/cb", verifier: "", keep: {} };
    expect(await failureOf(connect.exchange(app, callback))).toMatchObject({ kind: "reconnect" });
  });

  test("exchanges a token only while it is valid", async () => {
    const carol = await connectedTo(facebook, app, "carol");
    const fresh = await facebook.refresh?.run(app, carol.tokens);
    expect(fresh).toMatchObject({ scopes: carol.tokens.scopes, expiresAt: expect.any(String) });
    expect(fresh?.accessToken).not.toBe(carol.tokens.accessToken);
    const tokens = { ...carol.tokens, expiresAt: new Date(Date.now() - 1000).toISOString() };
    expect(await failureOf(Promise.resolve(facebook.refresh?.run(app, tokens)))).toMatchObject({ kind: "reconnect" });
  });

  test("an exchange that extends nothing: the new token counts as the last one, until a later exchange extends it", async () => {
    const frank = await connectedTo(facebook, app, "frank");
    const tokens = { ...frank.tokens, expiresAt: new Date(Date.now() + 5 * DAY * 1000).toISOString() };
    expect(facebook.refresh?.isPossible?.(tokens)).toBe(true);
    await sandbox.fault({ operation: "refresh", fault: "not_extended", afterSeconds: DAY });
    const last = (await facebook.refresh?.run(app, tokens)) ?? tokens;
    expect(Date.parse(last.expiresAt ?? "")).toBeLessThan(Date.parse(tokens.expiresAt));
    expect(facebook.refresh?.isPossible?.(last)).toBe(false);
    const extended = await facebook.refresh?.run(app, last);
    expect(extended && facebook.refresh?.isPossible?.(extended)).toBe(true);
  });

  test("revokes all permissions when disconnecting", async () => {
    const bob = await connectedTo(facebook, app, "bob");
    await facebook.revoke?.(app, bob.tokens);
    expect(await failureOf(facebook.profile(bob))).toMatchObject({ kind: "reconnect", answer: { code: "190/458" } });
  });
});

describe("Pages", () => {
  test("lists all Pages over several answers, without those the user may not post to", async () => {
    expect(await facebook.destinations?.list?.(alice)).toEqual([
      { id: pages[0], title: "Alice's Page", type: "PAGE" },
      { id: pages[1], title: "Alice's Shop", type: "PAGE" },
    ]);
  });

  describe("Pages of a business", () => {
    const list = async (session: NetworkSession) =>
      (await facebook.destinations?.list?.(session))?.map(({ title }) => title);
    const business = (account: string, isLocked = false) =>
      sandbox.control("facebook/open-business", { account, isLocked });

    test("lists own and client Pages once, and none that the user may not post to", async () => {
      const nina = await connectedTo(facebook, app, "nina");
      await business("nina");
      await business("nina");
      const own = ["Nina's Page", "Nina's Shop"];
      expect(await list(nina)).toEqual([...own, "Hall 1", "Client 1", "Hall 2", "Client 2"]);
    });

    test("publishes with the token of that Page", async () => {
      const olga = await connectedTo(facebook, app, "olga");
      await business("olga");
      const [, , hall] = (await facebook.destinations?.list?.(olga)) ?? [];
      await publish("text", post("To the hall", { chatId: hall?.id }), newMemory(), olga);
      expect((await held("To the hall"))[0]?.chatId).toBe(hall?.id);
    });

    test("are not requested without the permission", async () => {
      const paul = await connectedTo(facebook, app, "paul");
      await business("paul");
      const scopes = paul.tokens.scopes?.filter((scope) => scope !== "business_management");
      const asked = async () => (await sandbox.calls()).filter(({ path }) => path.endsWith("/me/businesses")).length;
      const before = await asked();
      expect(await list({ ...paul, tokens: { ...paul.tokens, scopes } })).toEqual(["Paul's Page", "Paul's Shop"]);
      expect(await asked()).toBe(before);
    });

    test("that cannot be read hide no other Page", async () => {
      const rosa = await connectedTo(facebook, app, "rosa");
      await business("rosa", true);
      await business("rosa");
      expect(await list(rosa)).toEqual(["Rosa's Page", "Rosa's Shop", "Hall 2", "Client 2"]);
    });

    test("hide no other Page if Facebook refuses to list businesses", async () => {
      const tokens = await tokensWithout("sara", "business_management");
      expect(tokens.scopes).not.toContain("business_management");
      const scopes = [...(tokens.scopes ?? []), "business_management"]; // the permission was revoked at Facebook
      const plain = facebook as Network; // settings are not used here
      const sara = makeSession(plain, app, {
        accountId: "sara",
        username: "",
        tokens: { ...tokens, scopes },
      });
      expect(await list(sara)).toEqual(["Sara's Page", "Sara's Shop"]);
    });
  });

  test("publishes to each Page with that Page's token", async () => {
    await publish("text", post("To the shop", { chatId: pages[1] }));
    expect((await held("To the shop"))[0]?.chatId).toBe(pages[1]);
  });

  test("rejects a post to a Page the user lost; the account stays connected", async () => {
    const erin = await connectedTo(facebook, app, "erin");
    const [page = ""] = (await facebook.destinations?.list?.(erin))?.map(({ id }) => id) ?? [];
    await sandbox.control("facebook/leave-page", { account: "erin", page });
    expect(await failureOf(publish("text", post("Lost", { chatId: page }), newMemory(), erin))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("no longer post to this Page"),
    });
    expect(await facebook.destinations?.list?.(erin)).toHaveLength(1);
  });

  describe("refused for a missing permission", () => {
    const readOnly = pagesOf("alice").find(({ tasks }) => !tasks.includes("CREATE_CONTENT"))?.id;

    test("rejects the post if the person granted all permissions, but may not create content on this Page", async () => {
      expect(await failureOf(publish("text", post("Not here", { chatId: readOnly })))).toMatchObject({
        kind: "rejected",
        message: expect.stringContaining("no longer post to this Page"),
        answer: { code: "200" },
      });
    });

    test("rejects the post if Facebook does not show the Page's token for the same reason", async () => {
      const refusal = {
        error: { code: 10, message: "(#10) This endpoint requires the 'pages_read_engagement' permission" },
      };
      const lost = answering(/\/123\?fields=access_token/, () => {
        throw platformErrorFrom("Facebook", facebook.errors, refusal, { status: 400, headers: new Headers() });
      });
      expect(await failureOf(publish("text", post("Gone", { chatId: "123" }), newMemory(), lost))).toMatchObject({
        kind: "rejected",
        message: expect.stringContaining("no longer post to this Page"),
      });
    });

    test("asks to connect again if the person has not granted one", async () => {
      const tokens = await tokensWithout("dave", "pages_manage_posts");
      const dave = makeSession(facebook as Network, app, { accountId: "dave", username: "", tokens });
      const [page] = pagesOf("dave");
      expect(await failureOf(publish("text", post("Declined", { chatId: page?.id }), newMemory(), dave))).toMatchObject(
        {
          kind: "reconnect",
          answer: { code: "200" },
        },
      );
    });

    test("tries again later if Facebook does not say what the person granted", async () => {
      const silent = answering(/\/me\/permissions/, () => {
        throw new PlatformError("unknown", "Facebook did not answer");
      });
      const refused = await failureOf(publish("text", post("Who knows", { chatId: readOnly }), newMemory(), silent));
      expect(refused).toMatchObject({ kind: "later", refused: true });
    });

    /** Alice's session, in which `answer` answers the calls to these addresses. */
    function answering(path: RegExp, answer: () => never): NetworkSession {
      return { ...alice, fetch: async (to, call) => (path.test(to) ? answer() : alice.fetch(to, call)) };
    }
  });

  test("rejects another user's Page and a missing Page", async () => {
    for (const chatId of ["123456789012345", undefined]) {
      expect(await failureOf(publish("text", post("Nowhere", { chatId })))).toMatchObject({ kind: "rejected" });
    }
  });

  test("asks to connect again after a changed password", async () => {
    const frank = await connectedTo(facebook, app, "frank");
    await sandbox.control("facebook/change-password", { account: "frank" });
    expect(await failureOf(facebook.profile(frank))).toMatchObject({ kind: "reconnect", answer: { code: "190/460" } });
  });
});

describe("feed", () => {
  test("publishes a text with its permalink", async () => {
    const published = await publish("text", post("Good morning"));
    const [one, ...more] = await held("Good morning");
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
    expect(published.id).toMatch(new RegExp(`^${pages[0]}_\\d+$`));
  });

  test("has an address from the post's ID if Facebook shows the permalink late", async () => {
    await sandbox.fault({ operation: "status", fault: "late_permalink", times: 9 });
    const published = await publish("text", post("Late link"));
    await sandbox.clearFaults();
    expect(published.permalink).toBe(`https://www.facebook.com/${published.id}`);
  });

  test("creates a card for the first link", async () => {
    await publish("text", post("Read (https://example.com/a), and https://example.com/b"));
    const [one] = await held("Read (https://example.com/a), and https://example.com/b");
    expect(one).toMatchObject({ settings: { link: "https://example.com/a" } });
  });

  test("keeps a bracket that belongs to the link", async () => {
    await publish("text", post("Read https://example.com/Bell_(instrument)."));
    const [one] = await held("Read https://example.com/Bell_(instrument).");
    expect(one).toMatchObject({ settings: { link: "https://example.com/Bell_(instrument)" } });
  });

  test.each(["https://nothing.invalid/x", "https://www.facebook.com/somebody"])(
    "publishes without a card that Facebook cannot create for %s",
    async (link) => {
      await publish("text", post(`See ${link}`));
      const [one, ...more] = await held(`See ${link}`);
      expect([more, JSON.stringify(one).includes('"link"')]).toEqual([[], false]);
    },
  );

  test("publishes one photo with and without a caption", async () => {
    const published = await publish("image", post("One photo", { media: await images(1) }));
    const [one] = await held("One photo");
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
    expect(one?.media).toMatchObject([{ type: "image/jpeg" }]);
    await publish("image", post("", { media: await images(1) }));
    expect(await held("")).toHaveLength(1);
  });

  test("publishes ten photos as one post, in order", async () => {
    const media = await images(10);
    await publish("carousel", post("Ten photos", { media }));
    const [one, ...more] = await held("Ten photos");
    expect(more).toEqual([]);
    expect(one?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(media.map(({ sizeBytes }) => sizeBytes));
  });

  test("sends alternative texts of photos", async () => {
    const [one, two] = (await images(2)).map((image, index) => ({ ...image, altText: `Bell ${index + 1}` }));
    if (!one || !two) throw new Error("two images were asked for");
    await publish("image", post("One described", { media: [one] }));
    await publish("carousel", post("Two described", { media: [one, two] }));
    expect(await held("One described")).toMatchObject([{ settings: { altTexts: ["Bell 1"] } }]);
    expect(await held("Two described")).toMatchObject([{ settings: { altTexts: ["Bell 1", "Bell 2"] } }]);
  });

  test("uploads photos again that waited for more than a day", async () => {
    const memory = newMemory();
    const media = await images(2);
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 60 });
    const error = await failureOf(publish("carousel", post("Waited", { media }), memory));
    expect(error).toMatchObject({ kind: "later", refused: true, retryAfterSeconds: 60 });
    for (const [name, kept] of memory.done) {
      if (typeof kept === "object" && kept !== null && "at" in kept)
        memory.done.set(name, { ...kept, at: Date.now() - DAY * 1000 });
    }
    await sandbox.advance(DAY + 60);
    await publish("carousel", post("Waited", { media }), memory);
    expect((await held("Waited"))[0]?.media).toHaveLength(2);
  });

  test("uploads a video in parts without changing its bytes", async () => {
    const video = long();
    const before = (await sandbox.calls()).filter(({ operation }) => operation === "upload").length;
    const published = await publish("video", post("A film", { media: [video] }));
    const [one] = await held("A film");
    expect(one?.media).toMatchObject([{ type: "video/mp4", sizeBytes: video.sizeBytes }]);
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
    const parts = (await sandbox.calls()).filter(({ operation }) => operation === "upload").length - before;
    expect(parts).toBe(Math.ceil(video.sizeBytes / (256 * 1024)));
    expect(parts).toBeGreaterThan(3);
  });

  test("continues an interrupted upload where Facebook says", async () => {
    const video = long();
    const memory = newMemory();
    const sent = post("Cut in the middle", { media: [video] });
    // The part arrives but its answer is lost: the next try finds the part already there.
    await sandbox.fault({ operation: "upload", fault: "drop_response" });
    await failureOf(publish("video", sent, memory));
    await publish("video", sent, memory);
    expect((await held("Cut in the middle"))[0]?.media[0]?.sizeBytes).toBe(video.sizeBytes);
  });
});

describe("reels", () => {
  test("publishes in three phases, with description and the delayed permalink", async () => {
    const video = film();
    const published = await publish("video", post("A reel", { media: [video], settings: reels }));
    const [one] = await held("A reel");
    expect(one?.media).toMatchObject([{ sizeBytes: video.sizeBytes }]);
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
    expect(published.permalink).toMatch(/^https:\/\/www\.facebook\.com\/reel\/\d+\/$/);
  });

  test("sets a cover", async () => {
    const cover = await sandbox.image({ shade: 200 });
    await publish("video", post("A covered reel", { media: [film()], settings: reels, thumbnail: cover }));
    expect((await held("A covered reel"))[0]).toMatchObject({ settings: { cover: expect.any(String) } });
  });

  test("keeps the reel if its cover is refused", async () => {
    const cover = sandbox.file(Buffer.from("no image"), {
      kind: "image",
      contentType: "image/jpeg",
      filename: "a.jpg",
    });
    await publish("video", post("A bare reel", { media: [film()], settings: reels, thumbnail: cover }));
    expect(await held("A bare reel")).toHaveLength(1);
  });

  test("continues an interrupted upload at the byte that Facebook has", async () => {
    const video = film({ seconds: 60, fps: 60 });
    const memory = newMemory();
    const sent = post("A cut reel", { media: [half(video)], settings: reels });
    await failureOf(publish("video", sent, memory));
    await publish("video", { ...sent, media: [video] }, memory);
    expect((await held("A cut reel"))[0]?.media[0]?.sizeBytes).toBe(video.sizeBytes);
  });

  test.each([
    ["91 seconds", { seconds: 91, fps: 24 }, "duration"],
    ["2 seconds", { seconds: 2 }, "duration"],
    ["23 frames a second", { fps: 23 }, "frame rate"],
    ["a wide strip", { width: 1920, height: 800 }, "ratio"],
    ["few pixels", { width: 500, height: 888 }, "resolution"],
  ])("rejects a reel of %s, from the phase that reports the error", async (_, shape, says) => {
    const sent = post(`Wrong reel: ${says}`, { media: [film(shape)], settings: reels });
    expect(await failureOf(publish("video", sent))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining(says),
    });
    expect(await held(sent.content)).toEqual([]);
  });
});

test("finishes a reel only when Facebook has its whole file", async () => {
  await sandbox.fault({ operation: "upload", fault: "late_upload" });
  await publish("video", post("Arrives late", { media: [film()], settings: reels }));
  expect(await held("Arrives late")).toHaveLength(1);
});

test.each([
  { kind: "reel", name: "reel", settings: reels },
  { kind: "story", name: "story 1", settings: story },
])("publishes a $kind whose status stays at processing after some minutes", async ({ kind, name, settings: given }) => {
  await sandbox.fault({ operation: "upload", fault: "stuck_processing" });
  const before = (await sandbox.posts()).length;
  const memory = newMemory();
  const impatient = memoryRun(alice, memory, async () => {
    expect((await sandbox.posts()).length).toBe(before);
    throw new Error("still processing");
  });
  const sent = post(`A stuck ${kind}`, { media: [film()], settings: given });
  await expect(publishOn(impatient, "video", sent)).rejects.toThrow("still processing");
  memory.done.set(`${name}, sent`, Date.now() - 4 * 60_000);
  await publish("video", sent, memory);
  expect((await sandbox.posts()).length).toBe(before + 1);
});

/** Stops after half of the bytes, as if the storage connection broke. */
function half(media: OutgoingMedia): OutgoingMedia {
  return {
    ...media,
    async open(range) {
      const bytes = new Uint8Array(await new Response(await media.open(range)).arrayBuffer());
      let isSent = false;
      return new ReadableStream({
        async pull(controller) {
          if (isSent) return controller.error(new Error("cut"));
          isSent = true;
          controller.enqueue(bytes.slice(0, bytes.length / 2));
        },
      });
    },
  };
}

describe("stories", () => {
  test("publishes an image and a video as two stories; the first represents the post", async () => {
    const before = (await sandbox.posts()).length;
    const [image] = await images(1);
    const media = [image, film()].filter((item) => item !== undefined);
    const published = await publish("carousel", post("not sent", { media, settings: story }));
    const made = (await sandbox.posts()).slice(before);
    expect(made.map(({ text, media: files }) => [text, files[0]?.type])).toEqual([
      ["", "image/jpeg"],
      ["", "video/mp4"],
    ]);
    expect(published).toEqual({ id: made[0]?.id, permalink: made[0]?.permalink });
  });

  test("rejects a video of 61 seconds", async () => {
    const sent = post("", { media: [film({ seconds: 61, fps: 24 })], settings: story });
    expect(await failureOf(publish("video", sent))).toMatchObject({ kind: "rejected" });
  });
});

const FAULTS = ["drop_response", "cut_body"];

describe("lost answers", () => {
  test.each(FAULTS)("%s after a text: finds the post by text, application and time", async (fault) => {
    const memory = newMemory();
    const sent = post(`Lost by ${fault}`);
    await sandbox.fault({ operation: "publish", fault });
    expect(await failureOf(publish("text", sent, memory))).toMatchObject({ kind: "unknown" });
    const published = await publish("text", sent, memory);
    const [one, ...more] = await held(sent.content);
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
  });

  test.each(["refuse", "http_500", "http_502_html"])(
    "%s before a text: finds nothing and does not send it again",
    async (fault) => {
      const memory = newMemory();
      const sent = post(`Not out by ${fault}`);
      await sandbox.fault({ operation: "publish", fault });
      await failureOf(publish("text", sent, memory));
      expect(await failureOf(publish("text", sent, memory))).toMatchObject({ kind: "unknown" });
      expect(await held(sent.content)).toEqual([]);
    },
  );

  test.each<[what: string, format: FormatName, sent: () => Promise<Post>]>([
    ["a photo", "image", async () => post("Lost photo", { media: await images(1) })],
    ["photos", "carousel", async () => post("Lost photos", { media: await images(2) })],
    ["a video", "video", async () => post("Lost video", { media: [film()] })],
    ["a reel", "video", async () => post("Lost reel", { media: [film()], settings: reels })],
  ])("finds %s", async (_, format, make) => {
    const memory = newMemory();
    const sent = await make();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(publish(format, sent, memory));
    const published = await persist(() => publish(format, sent, memory));
    const [one, ...more] = await held(sent.content);
    expect([published.id, more]).toEqual([one?.id, []]);
  });

  test.each(["drop_response", "http_500"])("%s for stories and reels: each is published once", async (fault) => {
    for (const sent of [
      post("", { media: await images(1), settings: story }),
      post("", { media: [film()], settings: story }),
      post("", { media: [film()], settings: reels }),
    ]) {
      const before = (await sandbox.posts()).length;
      const memory = newMemory();
      const format = sent.media[0]?.kind === "video" ? "video" : "image";
      await sandbox.fault({ operation: "publish", fault });
      await failureOf(publish(format, sent, memory));
      const { id } = await persist(() => publish(format, sent, memory));
      expect((await sandbox.posts()).slice(before).map((one) => one.id)).toEqual([id]);
    }
  });

  test("matches only posts of our application with the same text and type", () => {
    const one = { id: "1_2", message: "a", created_time: "2026-11-20T10:00:01+0000", application: { id: "app" } };
    const expected = { message: "a", hasPhotos: false };
    expect(isSamePagePost(one, expected, "app")).toBe(true);
    expect(isSamePagePost({ ...one, message: "b" }, expected, "app")).toBe(false);
    const lines = { message: "cafe\u0301 \r\n\r\nopen", hasPhotos: false };
    expect(isSamePagePost({ ...one, message: "caf\u00e9\n\nopen" }, lines, "app")).toBe(true);
    expect(isSamePagePost({ ...one, application: { id: "other" } }, expected, "app")).toBe(false);
    expect(isSamePagePost({ ...one, attachments: { data: [{ media_type: "photo" }] } }, expected, "app")).toBe(false);
  });

  test("finds the lost one of two identical posts", async () => {
    const first = await publish("image", post("Alike", { media: await images(1) }));
    const memory = newMemory();
    const sent = post("Alike", { media: await images(1) });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(publish("image", sent, memory));
    const second = await publish("image", sent, memory);
    expect((await held("Alike")).map(({ id }) => id)).toEqual([first.id, second.id]);
  });
});

test.each<[what: string, format: FormatName, sent: (text: string) => Promise<Post>]>([
  ["photos", "carousel", async (text) => post(text, { media: await images(2) })],
  ["a video in the feed", "video", async (text) => post(text, { media: [film()] })],
  ["a reel", "video", async (text) => post(text, { media: [film()], settings: reels })],
])("publishes %s once, killed before and after every step", { timeout: 60_000 }, async (what, format, make) => {
  const sent = await make("");
  const tried: string[] = [];
  await killedEverywhere(
    alice,
    async (run, point) => {
      const content = `${what}, killed at ${point}`;
      tried.push(content);
      return persist(() => publishOn(run, format, { ...sent, content })).catch((error: unknown) => {
        // Without an answer, a post without a handle stays unknown; only the network shows whether it was published.
        if (error instanceof PlatformError && error.kind === "unknown") return { id: "unknown" };
        throw error;
      });
    },
    wait,
  );
  const counts = await Promise.all([...new Set(tried)].map(async (content) => (await held(content)).length));
  expect(counts.length).toBeGreaterThan(8);
  expect(Math.max(...counts)).toBe(1);
  expect(counts.filter((count) => count === 0).length).toBeLessThanOrEqual(1);
});

test("stores neither tokens nor proofs in steps", async () => {
  const memory = newMemory();
  await publish("video", post("Remembered", { media: [film()], settings: reels }), memory);
  const kept = JSON.stringify([...memory.done]);
  expect(kept).toContain("video_id");
  expect(kept).not.toMatch(/token|proof|OAuth/i);
});

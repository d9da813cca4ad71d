import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Platform } from "../platforms";
import { networkOf } from ".";
import { publishImage } from "./pinterest/publish";
import { searchPost } from "./search-run";
import { type AtSandbox, atSandbox, failureOf, newMemory, sandboxFor } from "./testing";

// Behaviour of the networks that no source confirms. If Carillon depends on it, the sandbox has a switch for it, and Carillon must
// work either way. The tables list every line of the networks' fact sheets that is marked as unconfirmed, so that a new line
// is noticed when the sheets are compared with them: each line needs a switch, or a reason why nothing depends on it.

/** The fact, the switch, two of its values, and the test that sets them. */
type Decision = [fact: string, name: string, one: unknown, other: unknown, test: string];

const HERE = "this file";
const DECISIONS: Decision[] = [
  ["which spelling of the field list X takes", "x/fieldLists", "post.fields", "tweet.fields", HERE],
  ["whether a Basic subscriber may post longer texts", "x/subscription", "Basic", "Premium", "x/x.test.ts"],
  ["what separates scopes", "pinterest/scopeSeparator", " ", ",", "pinterest/pinterest.test.ts"],
  ["the parameters of a declined consent", "pinterest/denialHasError", true, false, "lib/connect/complete.test.ts"],
  ["whether carousels still work", "pinterest/carousels", true, false, "pinterest/pinterest.test.ts"],
  ["whether a frame is a cover", "pinterest/keyFrameIsCover", true, false, "pinterest/pinterest.test.ts"],
  ["the largest image in Base64", "pinterest/maxBase64Bytes", 100, 20_000_000, "pinterest/pinterest.test.ts"],
  ["the unit of x-ratelimit-reset", "pinterest/resetIsUnixTime", true, false, "pinterest/pinterest.test.ts"],
  ["when a new Pin is listed", "pinterest/listedAfterSeconds", 0, 60, "pinterest/pinterest.test.ts"],
  ["the order in which a board lists its Pins", "pinterest/newestFirst", true, false, HERE],
  ["the header with a post's ID", "linkedin/idHeader", "x-restli-id", "x-linkedin-id", "linkedin/linkedin.test.ts"],
  ["whether members may read videos", "linkedin/statusForbidden", true, false, "linkedin/uploads.test.ts"],
  ["whether the permalink of a video has a host", "facebook/videoLinkHasHost", true, false, HERE],
  ["whether stories can be labelled as made with AI", "instagram/storiesTakeAiLabel", true, false, HERE],
  ["whether a new post can be replied to at once", "threads/replyAfterSeconds", 0, 120, HERE],
  ["where the error for too many links is named", "threads/linkLimitIn", "message", "title", HERE],
  ["how long an access token lasts", "tiktok/accessSeconds", 7200, 86_400, HERE],
  ["the status of scope_permission_missed", "tiktok/missedScopeStatus", 401, 403, HERE],
];

/** Lines on which nothing depends, by network, each with the reason. */
const INDIFFERENT: { [P in Platform]: [fact: string, reason: string][] } = {
  X_TWITTER: [
    ["the lifetime of refresh tokens", "a refused refresh asks the user to connect again, whenever it comes"],
    ["the answer to a revocation", "it is not read"],
    ["the parameters of a declined consent", "the bridge handles all networks alike; Pinterest's switch tests both"],
    ["the rule for mentions", "a refusal is final, and its text is shown"],
    ["alternative texts of videos", "they are not sent"],
    ["whether X weighs texts as its own library does", "a refusal as too long is final"],
    ["how 25,000 characters are counted", "a refusal as too long is final"],
    ["the daily limit of posts", "the answer states how long to wait"],
    ["the status for several cashtags", "the error rule matches any status (x/errors.test.ts)"],
    ["what X takes for a repetition", "a lost post is looked up and never sent again"],
  ],
  YOUTUBE: [
    ["the interim cost of an upload", "it no longer applies"],
    ["PKCE for web clients", "a challenge that Google does not verify changes nothing else"],
    ["the lifetime of an upload session", "the fault `gone` ends a session at any time"],
    ["whether uploads need the token", "the token is always sent"],
    ["the sizes of thumbnails", "they are advice; a refused thumbnail does not fail the video"],
    ["the status 413", "a refusal is final"],
  ],
  THREADS: [
    ["appsecret_proof", "it is not sent; if the app demands it, the operator is told"],
    ["the ID in callbacks", "both IDs of an account are compared (networkAccountId, callbackAccountId)"],
    ["a parameter for AI content", "it is not sent"],
    ["the headers with the app's usage", "they are not read"],
    ["the error code of a used-up quota", "the quota is read before each post"],
  ],
  TIKTOK: [
    ["errCode in the callback of a declined consent", "`error` alone decides"],
    ["further errors of the token endpoint", "each of them is tried again later"],
    ["fields outside of the granted scopes", "the scopes are required, so a connect without them fails"],
    ["the address of a photo post", "TikTok's own address is preferred, and its other form redirects"],
    ["what 1080p means for photos", "photos are converted to the stricter reading"],
  ],
  INSTAGRAM: [
    ["the ID in callbacks", "both IDs of an account are compared (networkAccountId, callbackAccountId)"],
    ["appsecret_proof", "it is not sent; if the app demands it, the operator is told"],
    ["captions of stories", "they are not sent"],
    ["the limits of videos in carousels", "those of reels are checked, and a refusal is final"],
    ["the unit of the caption's limit", "the stricter count is checked"],
    [
      "publishing a container twice",
      "the container's status is read first, and a published one is not published again",
    ],
  ],
  LINKEDIN: [
    ["newer API versions", "a newer version is not used until its documentation was read"],
    ["PKCE", "it is not used; the bridge binds the state itself"],
    ["a revocation", "none is called"],
    ["the text of invalid_client", "its code decides"],
    ["the logos of organizations", "they are not read"],
    ["posts to groups", "they fail with a reason before anything is sent"],
    ["editing and deleting posts", "neither is called"],
    ["how texts are counted", "a refusal as too long is final"],
    ["dimensions of videos", "they are not checked, and a refusal is final"],
    ["whether uploads count as calls", "a refusal states when the limit ends"],
    ["the form of inputErrors", "it is not read; the message is shown"],
    ["whether another upload makes another post", "nothing is uploaded again between two attempts"],
    ["listing the posts of an organization", "LinkedIn's own duplicate check identifies a lost post instead"],
  ],
  BLUE_SKY: [
    ["the longest video", "the video service decides, and a refusal is final"],
    ["larger files of the video service", "the video service stores them itself"],
  ],
  TELEGRAM: [
    ["the claims of Telegram's OpenID tokens", "they are not used"],
    ["whether a bot gets its own posts", "a lost message is never looked up in the updates"],
  ],
  FACEBOOK: [
    ["auth_type=rerequest", "a permission that is still missing fails the connect"],
    ["whether an exchange extends a token", "the expiry before and after is compared (fault `not_extended`)"],
    ["the error code of a wrong proof", "its message decides"],
    ["the page for a wrong redirect address", "Facebook does not return to the bridge, so nothing is stored"],
    ["the errors of a code exchange", "each refusal fails the connect; the message names wrong credentials"],
    ["the largest number of photos", "the number that clients send is checked"],
    ["labels for AI content", "they are not sent"],
    ["the unit of the text's limit", "a refusal is final"],
    ["the largest video file", "the documented size is checked, and a refusal is final"],
    ["whether error 352 is used for Pages", "it is final like the others"],
    ["finishing a video twice", "the video's state is read first, and a published one is not finished again"],
  ],
  PINTEREST: [
    ["whether a used refresh token still works", "it is never used again"],
    ["the error code of a refused refresh", "any refusal with 400 or 401 asks the user to connect again"],
    ["how long an upload's policy lasts", "a refused upload is started again"],
    ["the unit of text limits", "the stricter count is checked"],
    ["the shape of images", "it is advice"],
    ["the frame rate of videos", "it is not checked, and a refusal is final"],
    ["the error for unprocessed media", "a Pin is created only after its media are processed"],
  ],
};

test("each decision has a switch with both values in the sandbox", async () => {
  const sandbox = await sandboxFor("x"); // one sandbox simulates all networks
  try {
    for (const [, name, ...values] of DECISIONS) {
      const [network, field = ""] = name.split("/");
      for (const value of values.slice(0, 2)) await sandbox.control(`${network}/switches`, { [field]: value });
      const unknown = sandbox.control(`${network}/switches`, { [`${field}Too`]: true });
      await expect(unknown, `${network} accepts any switch`).rejects.toThrow("400");
    }
  } finally {
    await sandbox.close();
  }
});

test.each(DECISIONS)("%s: the test that sets %s is in the file that is named", (_, name, _one, _other, file) => {
  const path = file === HERE ? import.meta.filename : file.startsWith("lib/") ? file : join(import.meta.dirname, file);
  const calls = readFileSync(path, "utf8")
    .split("describe(")
    .slice(file === HERE ? 1 : 0)
    .join();
  expect(calls).toMatch(new RegExp(`\\b${name.split("/")[1]}\\b`));
});

test("each line without a switch is listed once, with a reason", () => {
  for (const [platform, lines] of Object.entries(INDIFFERENT)) {
    const facts = lines.map(([fact]) => fact);
    expect(new Set(facts).size, platform).toBe(facts.length);
    expect(
      lines.filter(([, reason]) => reason === ""),
      platform,
    ).toEqual([]);
  }
});

function simulated(platform: Platform): () => AtSandbox {
  let at: AtSandbox;
  beforeAll(async () => {
    at = await atSandbox(networkOf(platform));
  });
  afterAll(() => at.close());
  return () => at;
}

describe("X", () => {
  const at = simulated("X_TWITTER");

  test.each(["post.fields", "tweet.fields"])(
    "finds a post whose answer was lost if X accepts only %s",
    async (fieldLists) => {
      await at().control("x/switches", { fieldLists });
      const person = await at().person();
      const memory = newMemory();
      const publish = () => at().publish("text", `Read back with ${fieldLists}`, person, {}, memory);
      await at().fault({ operation: "publish", fault: "drop_response" });
      expect(await failureOf(publish())).toMatchObject({ kind: "unknown", refused: false });
      const { id } = await publish();
      expect((await at().held(person)).map((one) => one.id)).toEqual([id]);
    },
  );
});

describe("Pinterest", () => {
  const at = simulated("PINTEREST");

  test.each([true, false])(
    "finds a Pin whose answer was lost if a board lists its newest Pins first: %s",
    async (is) => {
      await at().control("pinterest/switches", { newestFirst: is });
      const person = await at().person();
      await at().publish("image", "An earlier Pin", person);
      const memory = newMemory();
      const publish = () => at().publish("image", "A lost Pin", person, {}, memory);
      await at().fault({ operation: "publish", fault: "drop_response" });
      expect(await failureOf(publish())).toMatchObject({ kind: "unknown", refused: false });
      const { id } = await publish();
      expect((await at().held(person)).filter(({ text }) => text === "A lost Pin").map((one) => one.id)).toEqual([id]);
    },
  );

  test("after a restore, takes a full list for complete only if the newest Pins come first", async () => {
    await at().control("pinterest/switches", { newestFirst: true });
    const network = networkOf("PINTEREST");
    const { session, chatId, ...person } = await at().person();
    for (let count = 1; count <= 25; count++)
      await at().publish("image", `Before the backup, ${count}`, { session, chatId, ...person });
    const { items } = await (await session.fetch(`/v5/boards/${chatId}/pins?page_size=1`)).json();
    const from = new Date(Date.parse(`${items[0].created_at}Z`) + 1000);
    await at().publish("image", "After the backup", { session, chatId, ...person });

    const settings = network.settings.parse({}) as Parameters<typeof publishImage>[0]["settings"]; // Pinterest's own schema
    const sent = { content: "After the backup", media: [await at().image()], settings, chatId };
    const isWhole = async (newestFirst: boolean) => {
      await at().control("pinterest/switches", { newestFirst });
      let listed: unknown;
      await searchPost(network, (run) => publishImage(sent, run), {
        session,
        stepDone: () => undefined,
        async decide(_, search) {
          const found = await search(from);
          listed = { count: found.listed.length, isWhole: found.isWhole };
          return undefined;
        },
      });
      return listed;
    };
    expect(await isWhole(true)).toEqual({ count: 1, isWhole: true });
    expect(await isWhole(false)).toEqual({ count: 0, isWhole: false });
  });
});

describe("Facebook", () => {
  const at = simulated("FACEBOOK");

  test.each([true, false])("shows the address of a video if its permalink has a host: %s", async (videoLinkHasHost) => {
    await at().control("facebook/switches", { videoLinkHasHost });
    const person = await at().person();
    const { permalink } = await at().publish("video", "A video", person);
    expect((await at().held(person)).map((one) => one.permalink)).toEqual([permalink]);
  });
});

describe("Instagram", () => {
  const at = simulated("INSTAGRAM");
  const settings = { publicationType: "STORY", aiContent: true };

  test("publishes a story with the AI label if stories take it", async () => {
    await at().control("instagram/switches", { storiesTakeAiLabel: true });
    const person = await at().person();
    await at().publish("image", "", person, { settings });
    expect(await at().held(person)).toMatchObject([{ settings: { is_ai_generated: true } }]);
  });

  test("publishes no story without the AI label that the user asked for", async () => {
    await at().control("instagram/switches", { storiesTakeAiLabel: false });
    const person = await at().person();
    const refused = await failureOf(at().publish("image", "", person, { settings }));
    expect(refused).toMatchObject({ kind: "rejected", refused: true });
    expect(await at().held(person)).toEqual([]);
  });
});

describe("Threads", () => {
  const at = simulated("THREADS");

  test.each([0, 120])("publishes a reply once if posts can be replied to after %d s", async (replyAfterSeconds) => {
    await at().control("threads/switches", { replyAfterSeconds });
    const person = await at().person();
    const after = await at().publish("text", "First", person);
    const memory = newMemory();
    const reply = () => at().publish("text", "Second", person, { after }, memory); // each call is a minute later
    if (replyAfterSeconds > 0) expect(await failureOf(reply())).toMatchObject({ kind: "later", refused: true });
    const { id } = await reply();
    expect((await at().held(person)).filter(({ text }) => text === "Second").map((one) => one.id)).toEqual([id]);
  });

  test.each(["message", "title"])("understands the error for too many links in the field %s", async (linkLimitIn) => {
    await at().control("threads/switches", { linkLimitIn });
    const links = Array.from({ length: 6 }, (_, index) => `https://example.com/${index}`).join(" ");
    expect(await failureOf(at().publish("text", links, await at().person()))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("more than 5 links"),
    });
  });
});

describe("TikTok", () => {
  const at = simulated("TIKTOK");

  test.each([7200, 86_400])("reads how long an access token lasts: %d s", async (accessSeconds) => {
    await at().control("tiktok/switches", { accessSeconds });
    const { tokens } = (await at().person()).session;
    const fresh = await networkOf("TIKTOK").refresh?.run(at().app, tokens);
    for (const one of [tokens, fresh]) {
      const seconds = (Date.parse(one?.expiresAt ?? "") - Date.now()) / 1000;
      expect(seconds).toBeGreaterThan(accessSeconds - 60);
      expect(seconds).toBeLessThanOrEqual(accessSeconds);
    }
    expect(fresh?.refreshToken).not.toBe(tokens.refreshToken);
  });

  test.each([401, 403])("a scope that the app lacks concerns the operator, with status %d", async (status) => {
    await at().control("tiktok/switches", { missedScopeStatus: status });
    const person = await at().person();
    await at().fault({ operation: "prepare", fault: "operator" });
    expect(await failureOf(at().publish("video", "No scope", person))).toMatchObject({
      kind: "operator",
      answer: { status, code: "scope_permission_missed" },
    });
  });
});

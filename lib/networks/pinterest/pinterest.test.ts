import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dryRun } from "../dry-run";
import { PlatformError } from "../errors";
import type { NetworkSession, OutgoingPost } from "../network";
import { failureOf, memoryRun, newMemory, submitConsent } from "../testing";
import { pinterest } from ".";
import { publishCarousel, publishImage, publishVideo } from "./publish";
import type { PinterestSettings } from "./settings";
import { connect, pinOn, pinterestSandbox } from "./testing/sandbox";

type Sandbox = Awaited<ReturnType<typeof pinterestSandbox>>;
let sandbox: Sandbox;
let alice: Awaited<ReturnType<Sandbox["connected"]>>;

beforeAll(async () => {
  sandbox = await pinterestSandbox();
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
const image = async (content: string, more: Partial<OutgoingPost<PinterestSettings>> = {}) =>
  pinOn(alice.board, content, { media: [await sandbox.image()], ...more });

describe("connect", () => {
  test("returns both tokens, their expiry and the granted scopes", () => {
    expect(alice.tokens).toMatchObject({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      scopes: expect.arrayContaining(connect.requiredScopes),
    });
    expect(Date.parse(alice.tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(29 * 86_400_000);
  });

  test("reads the account with its ID as a string", async () => {
    expect(await pinterest.profile(alice)).toEqual({
      accountId: expect.stringMatching(/^\d{19}$/),
      username: "alice",
      displayName: "Alice",
      avatarUrl: expect.stringMatching(/^http/),
    });
  });

  test.each([" ", ","])("reads scopes that are separated by %j", async (scopeSeparator) => {
    await sandbox.switches({ scopeSeparator });
    const { tokens } = await sandbox.connected("alice");
    expect(tokens.scopes).toEqual(expect.arrayContaining(connect.requiredScopes));
  });

  test("reports a declined consent", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(sandbox.app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=access_denied");
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
  test("returns a new pair; the old token requires connecting again", async () => {
    const bob = await sandbox.connected("bob");
    const fresh = await pinterest.refresh?.run(sandbox.app, bob.tokens);
    expect(fresh).toMatchObject({ accessToken: expect.any(String), expiresAt: expect.any(String) });
    expect(fresh?.refreshToken).not.toBe(bob.tokens.refreshToken);
    expect(await failureOf(Promise.resolve(pinterest.refresh?.run(sandbox.app, bob.tokens)))).toMatchObject({
      kind: "reconnect",
    });
  });
});

describe("destinations", () => {
  test("are all boards that can be pinned to, from all pages", async () => {
    const carol = await sandbox.connected("carol");
    const boards = await pinterest.destinations?.list?.(carol);
    expect(boards).toEqual([
      { id: expect.stringMatching(/^\d+$/), title: "Garden", type: "BOARD" },
      { id: expect.stringMatching(/^\d+$/), title: "Kitchen", type: "BOARD" },
    ]);
    const call = { method: "POST", headers: { "content-type": "application/json" } };
    const address = `${sandbox.url}/pinterest/v5/boards`;
    for (let n = 1; n <= 90; n++) {
      const headers = { ...call.headers, authorization: `Bearer ${carol.tokens.accessToken}` };
      await fetch(address, { ...call, headers, body: JSON.stringify({ name: `Board ${n}` }) });
    }
    const small: NetworkSession = {
      ...carol,
      fetch: (path, options) => carol.fetch(path.replace("page_size=250", "page_size=25"), options),
    };
    const all = (await pinterest.destinations?.list?.(small)) ?? [];
    expect(all).toHaveLength(92);
    expect(new Set(all.map(({ id }) => id)).size).toBe(92);
  });
});

describe("publish", () => {
  test.each([
    ["#6E7874", true],
    ["#6e7874", true],
    ["6E7874", false],
    ["#6E78", false],
    ["red", false],
  ])("the dominant colour %s is accepted: %s", (dominantColor, isAccepted) => {
    expect(pinterest.settings.safeParse({ dominantColor }).success).toBe(isAccepted);
  });

  test("publishes an image with all fields of a Pin", async () => {
    const settings = {
      title: "A title",
      link: "https://example.com/a?b=1",
      altText: "A red square",
      dominantColor: "#6E7874",
      boardSectionId: alice.section,
    };
    const sent = await image("With everything", { settings });
    const published = await publishImage(sent, run());
    const [pin, ...more] = await held("With everything");
    expect(more).toEqual([]);
    expect(pin).toMatchObject({ chatId: alice.board, settings, media: [{ sizeBytes: sent.media[0]?.sizeBytes }] });
    expect(published).toEqual({ id: pin?.id, permalink: `https://www.pinterest.com/pin/${pin?.id}/` });
  });

  test("uses the setting as alternative text, otherwise that of the first image or the cover", async () => {
    const [bell, tower] = [
      { ...(await sandbox.image()), altText: "A bell" },
      { ...(await sandbox.image({ shade: 60 })), altText: "A tower" },
    ];
    const settings = { altText: "In the Pin's own words" };
    await publishImage(pinOn(alice.board, "Described", { media: [bell] }), run());
    await publishImage(pinOn(alice.board, "In own words", { media: [bell], settings }), run());
    await publishCarousel(pinOn(alice.board, "First of two", { media: [bell, tower] }), run());
    await publishCarousel(pinOn(alice.board, "Cover of two", { media: [bell, tower], coverIndex: 1 }), run());
    await publishVideo(pinOn(alice.board, "Filmed", { media: [{ ...sandbox.video(), altText: "A film" }] }), run());
    const said = async (text: string) => (await held(text)).map((pin) => pin.settings.altText);
    const texts = ["Described", "In own words", "First of two", "Cover of two", "Filmed"];
    const told = ["A bell", "In the Pin's own words", "A bell", "A tower", "A film"];
    expect(await Promise.all(texts.map(said))).toEqual(told.map((one) => [one]));
  });

  test("recognizes the lost Pin by the alternative text it was sent with", async () => {
    const memory = newMemory();
    const sent = await image("Lost, then described again");
    const media = sent.media.map((one) => ({ ...one, altText: "A bell" }));
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publishImage({ ...sent, media }, run(memory)))).toMatchObject({ kind: "unknown" });
    const changed = media.map((one) => ({ ...one, altText: "Another text" }));
    const published = await publishImage({ ...sent, media: changed }, run(memory));
    expect(await held("Lost, then described again")).toMatchObject([{ id: published.id }]);
  });

  test("publishes an image without text", async () => {
    const published = await publishImage(await image(""), run());
    expect((await sandbox.posts()).find(({ id }) => id === published.id)?.text).toBe("");
  });

  test("publishes a carousel of five images in order", async () => {
    const media = await Promise.all([10, 60, 110, 160, 210].map((shade) => sandbox.image({ format: "png", shade })));
    await publishCarousel(pinOn(alice.board, "Five", { media }), run());
    const [pin] = await held("Five");
    expect(pin?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(media.map(({ sizeBytes }) => sizeBytes));
    expect(pin?.settings).toEqual({});
  });

  test("publishes a carousel of two with the second as cover", async () => {
    const media = [await sandbox.image({ shade: 10 }), await sandbox.image({ shade: 60 })];
    await publishCarousel(pinOn(alice.board, "Second first", { media, coverIndex: 1 }), run());
    expect(await held("Second first")).toMatchObject([{ settings: { coverIndex: 1 }, media: [{}, {}] }]);
  });

  test("publishes a video with one of its frames as cover", async () => {
    await publishVideo(pinOn(alice.board, "Moving", { media: [sandbox.video()] }), run());
    expect(await held("Moving")).toMatchObject([{ media: [{ type: "video/mp4" }], settings: { keyFrame: 1 } }]);
  });

  test("publishes a video with its own cover", async () => {
    const thumbnail = await sandbox.image({ shade: 7 });
    await publishVideo(pinOn(alice.board, "Covered", { media: [sandbox.video()], thumbnail }), run());
    expect(await held("Covered")).toMatchObject([{ settings: { cover: { sizeBytes: thumbnail.sizeBytes } } }]);
  });

  test("uploads a video once more if processing failed, and no further", async () => {
    await sandbox.fault({ operation: "prepare", fault: "processing_fails" });
    await publishVideo(pinOn(alice.board, "At the second go", { media: [sandbox.video()] }), run());
    expect(await held("At the second go")).toHaveLength(1);

    await sandbox.fault({ operation: "prepare", fault: "processing_fails", times: 2 });
    const sent = pinOn(alice.board, "Never", { media: [sandbox.video()] });
    expect(await failureOf(publishVideo(sent, run()))).toMatchObject({ kind: "rejected" });
    expect(await held("Never")).toEqual([]);
  });

  test("repeats an interrupted upload, but not a completed one", async () => {
    const memory = newMemory();
    const sent = pinOn(alice.board, "Cut", { media: [sandbox.video()] });
    const before = (await calls("upload")).length;
    await sandbox.fault({ operation: "upload", fault: "refuse" });
    expect(await failureOf(publishVideo(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 1 });
    expect(await failureOf(publishVideo(sent, run(memory)))).toMatchObject({ kind: "later" });
    await publishVideo(sent, run(memory));
    expect((await calls("upload")).length - before).toBe(2);
    expect(await held("Cut")).toHaveLength(1);
  });

  test("waits for the next attempt if the upload policy expired", async () => {
    const slow: NetworkSession = {
      ...alice,
      async fetch(path, call) {
        if (path.includes("/media-upload/")) await sandbox.advance(3601);
        return alice.fetch(path, call);
      },
    };
    const memory = newMemory();
    const sent = pinOn(alice.board, "Too slow", { media: [sandbox.video()] });
    expect(await failureOf(publishVideo(sent, run(memory, slow)))).toMatchObject({ kind: "later", refused: true });
    await publishVideo(sent, run(memory));
    expect(await held("Too slow")).toHaveLength(1);
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body"])("%s: finds the Pin and creates it once", async (fault) => {
    const memory = newMemory();
    const settings = { title: "T", link: "https://example.com", altText: "A", boardSectionId: alice.section };
    const sent = await image(`Lost by ${fault}`, { settings });
    await sandbox.fault({ operation: "publish", fault });
    expect(await failureOf(publishImage(sent, run(memory)))).toMatchObject({ kind: "unknown", refused: false });
    const published = await publishImage(sent, run(memory));
    expect((await held(`Lost by ${fault}`)).map(({ id }) => id)).toEqual([published.id]);
  });

  test("of a carousel: finds it and creates it once", async () => {
    const memory = newMemory();
    const media = [await sandbox.image({ shade: 10 }), await sandbox.image({ shade: 60 })];
    const sent = pinOn(alice.board, "Several lost", { media });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publishCarousel(sent, run(memory)))).toMatchObject({ kind: "unknown", refused: false });
    const published = await publishCarousel(sent, run(memory));
    expect((await held("Several lost")).map(({ id }) => id)).toEqual([published.id]);
  });

  test("does not mistake an earlier Pin with the same content for it", async () => {
    await publishImage(await image("Twins"), run());
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "refuse" });
    const sent = await image("Twins");
    expect(await failureOf(publishImage(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    expect(await failureOf(publishImage(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    expect(await held("Twins")).toHaveLength(1);
  });

  test.each([60, 0])("does not create it again if it becomes visible after %d s", async (listedAfterSeconds) => {
    const memory = newMemory();
    await sandbox.switches({ listedAfterSeconds });
    const sent = await image(`Listed after ${listedAfterSeconds}`);
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publishImage(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    if (listedAfterSeconds > 0)
      expect(await failureOf(publishImage(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    await sandbox.switches({});
    const published = await publishImage(sent, run(memory));
    expect((await held(sent.content)).map(({ id }) => id)).toEqual([published.id]);
  });

  test.each(["http_500", "http_502_html"])("%s ends as unknown, with the answer's status", async (fault) => {
    await sandbox.fault({ operation: "publish", fault });
    const error = await failureOf(publishImage(await image(`Answered by ${fault}`), run()));
    expect(error).toMatchObject({ kind: "unknown", refused: false, answer: { status: Number(fault.slice(5, 8)) } });
  });
});

describe("errors", () => {
  test("rejects another account's board and another board's section", async () => {
    const dave = await sandbox.connected("dave");
    expect(await failureOf(publishImage(await image("Elsewhere", { chatId: dave.board }), run()))).toMatchObject({
      kind: "rejected",
      message: "Pinterest did not find this board in this account. Choose another one",
    });
    const settings = { boardSectionId: dave.section };
    expect(await failureOf(publishImage(await image("Elsewhere", { settings }), run()))).toMatchObject({
      kind: "rejected",
      message: "Pinterest did not find this section on this board. Choose another one",
    });
  });

  test.each([
    [100, 413],
    [100, 400],
    [20_000_000, 413],
  ])(
    "sends addresses if Pinterest refuses more bytes than %i for their size with %i",
    async (maxBase64Bytes, tooLongStatus) => {
      await sandbox.switches({ maxBase64Bytes, tooLongStatus });
      const two = [await sandbox.image(), await sandbox.image({ shade: 60 })];
      const texts = ["one", "several", "cover"].map((what) => `${what}, ${maxBase64Bytes}, ${tooLongStatus}`);
      const [one = "", several = "", cover = ""] = texts;
      await publishImage(await image(one), run());
      await publishCarousel(pinOn(alice.board, several, { media: two }), run());
      await publishVideo(pinOn(alice.board, cover, { media: [sandbox.video()], thumbnail: two[0] }), run());
      expect(await Promise.all(texts.map(async (text) => (await held(text)).length))).toEqual([1, 1, 1]);
      expect((await held(several))[0]?.media).toHaveLength(2);
    },
  );

  test("a lost answer to the call with addresses: the Pin is found, and there is one", async () => {
    await sandbox.switches({ maxBase64Bytes: 100 });
    const memory = newMemory();
    const sent = await image("By address, lost");
    const lossy: NetworkSession = {
      ...alice,
      async fetch(path, call) {
        const answer = await alice.fetch(path, call);
        if (path.endsWith("/pins") && call?.method === "POST") throw new PlatformError("unknown", "lost");
        return answer;
      },
    };
    expect(await failureOf(publishImage(sent, run(memory, lossy)))).toMatchObject({ kind: "unknown" });
    await publishImage(sent, run(memory));
    expect(await held("By address, lost")).toHaveLength(1);
  });

  test("reports Pinterest's own message if it refuses a carousel", async () => {
    await sandbox.switches({ carousels: false });
    const media = [await sandbox.image(), await sandbox.image({ shade: 60 })];
    expect(await failureOf(publishCarousel(pinOn(alice.board, "No more", { media }), run()))).toMatchObject({
      kind: "rejected",
      refused: true,
      message: expect.stringContaining("Carousel Pins are not supported for organic content"),
      answer: { status: 400, message: "Carousel Pins are not supported for organic content" },
    });
    expect(await held("No more")).toEqual([]);
  });

  test.each([false, true])("a video without a cover image, if a frame counts as one: %s", async (keyFrameIsCover) => {
    await sandbox.switches({ keyFrameIsCover });
    const sent = pinOn(alice.board, `Bare, ${keyFrameIsCover}`, { media: [sandbox.video()] });
    const publishing = publishVideo(sent, run());
    if (keyFrameIsCover) await publishing;
    else
      expect(await failureOf(publishing)).toMatchObject({
        kind: "rejected",
        message: "Pinterest requires a cover image for the video. Set it as thumbnailPath",
      });
    expect(await held(sent.content)).toHaveLength(keyFrameIsCover ? 1 : 0);
  });

  test.each([true, false])("understands the end of a rate limit if it is a Unix time: %s", async (resetIsUnixTime) => {
    await sandbox.switches({ resetIsUnixTime });
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 900 });
    const { retryAfterSeconds = 0 } = await failureOf(publishImage(await image("Too fast"), run()));
    expect(retryAfterSeconds).toBeGreaterThan(600);
    expect(retryAfterSeconds).toBeLessThan(86_400); // not the Unix time itself
  });

  test("waits as stated for a rate limit, and hours for suspected spam", async () => {
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 90 });
    const error = await failureOf(publishImage(await image("Too fast"), run()));
    expect(error).toMatchObject({ kind: "later", refused: true, retryAfterSeconds: 90 });
    await sandbox.switches({ spam: true });
    const spam = await failureOf(publishImage(await image("Too much"), run()));
    expect(spam).toMatchObject({ kind: "later", retryAfterSeconds: 4 * 3600 });
  });

  test("requires connecting again after the token was revoked", async () => {
    const eve = await sandbox.connected("eve");
    await sandbox.fault({ operation: "publish", fault: "revoke_token" });
    const sent = await image("Revoked", { chatId: eve.board });
    expect(await failureOf(publishImage(sent, run(newMemory(), eve)))).toMatchObject({ kind: "reconnect" });
  });

  test("an inactive application does not affect the account", async () => {
    await sandbox.switches({ pending: true });
    expect(await failureOf(pinterest.profile(alice))).toMatchObject({ kind: "operator" });
  });
});

test("a dry run shows the requests step by step without sending anything", async () => {
  const before = (await sandbox.calls()).length;
  const shown = async (work: (run: ReturnType<typeof dryRun>["run"]) => Promise<unknown>) => {
    const { run, requests } = dryRun(pinterest, alice);
    await work(run);
    return requests.map(({ method, url, isFinal }) => [
      method,
      new URL(url).pathname.replace("/pinterest", ""),
      isFinal,
    ]);
  };
  const made = [
    ["GET", `/v5/boards/${alice.board}/pins`, false],
    ["POST", "/v5/pins", true],
  ];
  const one = await image("one");
  expect(await shown((run) => publishImage(one, run))).toEqual(made);
  const several = { ...one, media: [...one.media, ...one.media] };
  expect(await shown((run) => publishCarousel(several, run))).toEqual(made);
  const video = pinOn(alice.board, "a video", { media: [sandbox.video()], thumbnail: one.media[0] });
  expect(await shown((run) => publishVideo(video, run))).toEqual([
    ["POST", "/v5/media", false],
    ["POST", "/", false],
    ["GET", "/v5/media/%7Bmedia%20id%7D", false],
    ...made,
  ]);
  expect((await sandbox.calls()).length).toBe(before);
});

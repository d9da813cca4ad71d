import { existsSync } from "node:fs";
import { createServer, get } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { setImmediate as otherEvents } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import { FAULTS, type FaultKind, type OPERATIONS } from "../../../sandbox/core/faults";
import { networks } from "../../../sandbox/server";
import { connectSandbox, type FaultName, type Operation, type RunningSandbox, SandboxError, startSandbox } from ".";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

/** Posts a message to a person's chat with the Telegram bot, which needs no sign-in. */
async function sendMessage(text: string): Promise<Response> {
  const { botToken } = sandbox.applications.telegram;
  const chat = (await chatsOf("alice"))[0];
  return fetch(`${sandbox.urls.telegram}/bot${botToken}/sendMessage`, {
    method: "POST",
    body: new URLSearchParams({ chat_id: String(chat), text }),
  });
}

/** The chats that the bot learns about after a person pressed Start. */
async function chatsOf(person: string, channels?: ("public" | "private")[]): Promise<number[]> {
  await sandbox.people.startBot({ person, code: "link", channels });
  const updates = `${sandbox.urls.telegram}/bot${sandbox.applications.telegram.botToken}/getUpdates`;
  const { result } = await (await fetch(updates)).json();
  await fetch(`${updates}?offset=${result.at(-1).update_id + 1}`);
  return result.flatMap(
    (update: { my_chat_member?: { chat: { id: number } } }) => update.my_chat_member?.chat.id ?? [],
  );
}

describe("what the types name", () => {
  test("is every network, fault and operation of the networks", () => {
    expect(Object.keys(sandbox.urls).sort()).toEqual(networks.map(({ id }) => id).sort());
    expectTypeOf<FaultName>().toEqualTypeOf<FaultKind>();
    expectTypeOf<Operation>().toEqualTypeOf<(typeof OPERATIONS)[number]>();
  });

  test("is accepted: every fault waits for a call", async () => {
    for (const fault of FAULTS) await sandbox.faults.add({ network: "facebook", operation: "*", fault } as never);
    expect((await sandbox.faults.list()).map(({ fault }) => fault)).toEqual([...FAULTS]);
    await sandbox.faults.clear();
    expect(await sandbox.faults.list()).toEqual([]);
  });

  test("is accepted: every change", async () => {
    const { chatId = "" } = await sandbox.change("telegram", "make-group", { person: "alice", title: "Friends" });
    await sandbox.change("telegram", "restrict-bot", { chatId, denied: ["photos"] });
    const upgraded = await sandbox.change("telegram", "upgrade-group", { chatId });
    await sandbox.change("telegram", "remove-bot", { chatId: upgraded.chatId ?? "", status: "left" });
    await sandbox.change("x", "switches", {
      credits: true,
      enterprise: false,
      fieldLists: "both",
      subscription: "None",
      weighsLongerTexts: true,
      refreshSeconds: 1000,
      revocationHasBody: true,
      denialHasError: true,
      refusesMentions: false,
      acceptsBlankTexts: true,
      cashtagStatus: 400,
      postsPerDay: 100,
      repostsPerPage: 0,
      duplicateSeconds: 60,
      duplicatesIgnoreMedia: true,
    });
    await sandbox.change("youtube", "channel", { account: "bob", exists: true, isVerified: true, uploadsPerDay: 100 });
    await sandbox.change("youtube", "playlist", { account: "bob", id: "PL1", title: "Songs", isFull: false });
    await sandbox.change("youtube", "project", { insertsPerDay: 100, unitsPerDay: 10_000 });
    await sandbox.change("youtube", "switches", {
      verifiesPkce: true,
      sessionSeconds: 1000,
      uploadsNeedToken: false,
      minThumbnailWidth: 0,
      maxVideoBytes: 1_000_000,
      tooLargeStatus: 413,
    });
    await sandbox.change("threads", "switches", {
      replyAfterSeconds: 0,
      linkLimitIn: "message",
      locationsBy: "q",
      locationsApproved: true,
      requiresProof: false,
      quotaCode: "613",
      quotaReadable: true,
      publishedShowsAfterReads: 0,
      postsPerDay: 250,
      hiddenPerPage: 0,
    });
    await sandbox.change("tiktok", "creator", {
      account: "bob",
      isPrivate: false,
      commentDisabled: false,
      duetDisabled: false,
      stitchDisabled: false,
      maxSeconds: 60,
      isBanned: false,
    });
    await sandbox.change("tiktok", "app", { isAudited: true, verifiedHosts: [], webhookUrl: "http://localhost:1/" });
    await sandbox.change("tiktok", "switches", {
      accessSeconds: 7200,
      missedScopeStatus: 401,
      denialHasErrCode: false,
      tokenTrouble: "",
      fieldsWithoutScope: "error",
      photoAddress: "photo",
      photoLimit: "both sides",
      maxChunkBytes: 67108864,
    });
    await sandbox.change("instagram", "switches", {
      imageRatioMin: 0.8,
      storiesTakeAiLabel: true,
      storiesRefuseCaptions: false,
      requiresProof: false,
      maxChildSeconds: 900,
      captionUnit: "code points",
      publishedAgain: "error",
      publishedShowsAfterReads: 0,
      mayReadPublicPages: true,
      hiddenPerPage: 0,
    });
    await sandbox.change("linkedin", "page", { account: "bob", id: "123", name: "Bakery", role: "ADMINISTRATOR" });
    await sandbox.change("linkedin", "switches", {
      idHeader: "x-restli-id",
      refreshTokens: false,
      retired: "",
      statusForbidden: false,
      imagesReadable: false,
      escapesCount: false,
      textUnit: "UTF-16 units",
      refusesOddVideos: false,
      callsPerDay: 150,
      uploadsCount: false,
      clientRefusal: "Client authentication failed",
      errorDetails: "none",
      duplicatesIgnoreMedia: false,
      newestVersion: "202610",
      imageSeconds: 0,
    });
    await sandbox.change("bluesky", "account", {
      account: "bob",
      alias: "bob.example.com",
      isEmailUnconfirmed: true,
      isOnOldServer: false,
      status: null,
    });
    await sandbox.change("bluesky", "revoke-app-password", { account: "bob" });
    await sandbox.change("bluesky", "switches", { maxVideoSeconds: 600, maxVideoBlobBytes: 1_000_000 });
    await sandbox.change("telegram", "switches", { sendsOwnPosts: false });
    await sandbox.change("facebook", "change-password", { account: "bob" });
    await sandbox.change("facebook", "open-business", { account: "bob", isLocked: false });
    await sandbox.change("facebook", "leave-page", { account: "bob", page: "1" });
    await sandbox.change("facebook", "switches", {
      requiresProof: true,
      videoLinkHasHost: false,
      asksAgain: true,
      proofCode: 100,
      codesHaveSubcodes: true,
      secretCode: 1,
      maxPhotos: 10,
      textUnit: "UTF-16 units",
      maxVideoBytes: 1_000_000,
      formatCode: 352,
      finishedAgain: "success",
      finishShowsAfterReads: 0,
      mayReadPublicPages: true,
      hiddenPerPage: 0,
    });
    await sandbox.change("pinterest", "delete-board", { account: "bob", board: "1" });
    await sandbox.change("pinterest", "switches", {
      pending: false,
      trial: false,
      spam: false,
      listedAfterSeconds: 0,
      newestFirst: true,
      carousels: true,
      maxBase64Bytes: 1000,
      tooLongStatus: 413,
      scopeSeparator: " ",
      resetIsUnixTime: false,
      usedRefreshWorks: false,
      refusedRefresh: "401/283",
      policySeconds: 3600,
      textUnit: "code points",
      refusesOddImages: false,
      maxFrameRate: 60,
      usableAfterSeconds: 0,
      notReadyMessage: "The media has not been processed yet",
      denialHasError: true,
      keyFrameIsCover: true,
    });
    const removed = await sandbox.change("tiktok", "remove", { account: "bob", reason: 1 });
    expect(removed.open_id).toMatch(/^-000/);
  });
});

describe("helpers", () => {
  test("a message arrives, is waited for, and is forgotten by a reset", async () => {
    const waiting = sandbox.posts.waitFor({ network: "telegram", matching: ({ text }) => text === "Second" });
    await sendMessage("First");
    await sendMessage("Second");
    expect(await waiting).toMatchObject({ network: "telegram", account: "alice", text: "Second", settings: {} });
    expect(await sandbox.posts.list({ account: "bob" })).toEqual([]);
    await sandbox.reset();
    expect(await sandbox.posts.list()).toEqual([]);
    expect(await sandbox.calls.list()).toEqual([]);
  });

  test("waiting in vain names what arrived", async () => {
    await sendMessage("Only this");
    const waiting = sandbox.posts.waitFor({ network: "telegram", matching: () => false, timeoutSeconds: 0 });
    await expect(waiting).rejects.toThrow(
      'No matching post arrived within 0 seconds. These arrived:\ntelegram alice: "Only this"',
    );
    const other = sandbox.posts.waitFor({ network: "x", timeoutSeconds: 0 });
    await expect(other).rejects.toThrow("None arrived.");
  });

  test("a person adds the bot to the given channels only", async () => {
    expect(await chatsOf("carol", ["private"])).toHaveLength(1);
    expect(await chatsOf("carol", [])).toHaveLength(0);
  });

  test("a file of a post is returned byte for byte", async () => {
    const [chat] = await chatsOf("alice");
    const svg = new TextEncoder().encode("just a document");
    const form = new FormData();
    form.set("chat_id", String(chat));
    form.set("document", new Blob([svg]), "note.txt");
    const bot = `${sandbox.urls.telegram}/bot${sandbox.applications.telegram.botToken}`;
    expect((await fetch(`${bot}/sendDocument`, { method: "POST", body: form })).status).toBe(200);
    const { media } = await sandbox.posts.waitFor({ network: "telegram" });
    expect(await sandbox.posts.file(media[0] as never)).toEqual(svg);
    const unknown = { type: "image/png", sizeBytes: 1, sha256: "0".repeat(64) };
    await expect(sandbox.posts.file(unknown)).rejects.toThrow("The sandbox has no file");
  });

  test("the clock moves forward only", async () => {
    const before = await sandbox.clock.now();
    expect((await sandbox.clock.advance(3600)).getTime() - before.getTime()).toBeGreaterThanOrEqual(3_600_000);
    await expect(sandbox.clock.advance(-1)).rejects.toThrow("advanceSeconds");
  });

  test("new people are listed after their first sign-in", async () => {
    await sandbox.people.startBot({ person: "newcomer", code: "a" });
    expect(await sandbox.people.list("telegram")).toContainEqual({ name: "newcomer", displayName: "Newcomer" });
  });

  test("Bluesky's address is the data server, where people sign in with their app password", async () => {
    const answer = await fetch(`${sandbox.urls.bluesky}/xrpc/com.atproto.server.createSession`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ identifier: "alice.bsky.test", password: sandbox.applications.bluesky.appPassword }),
    });
    expect(await answer.json()).toMatchObject({ handle: "alice.bsky.test" });
  });
});

describe("errors say what to do", () => {
  test("a consent is never sent to a real network", async () => {
    const error = await sandbox.people.allow("https://x.com/i/oauth2/authorize?client_id=1").catch((reason) => reason);
    expect(error).toBeInstanceOf(SandboxError);
    expect(error.message).toBe(
      "https://x.com is not this sandbox, so nothing was sent there. Replace the network's host by its address in sandbox.urls.",
    );
  });

  test("a consent page that shows an error is quoted", async () => {
    const wrong = `${sandbox.urls.x}/i/oauth2/authorize?client_id=unknown`;
    await expect(sandbox.people.allow(wrong)).rejects.toThrow(/^The consent page answered with 400: Sandbox X/);
  });

  test("a wrong value of a change is named", async () => {
    await expect(sandbox.change("x", "switches", { subscription: "Gold" as never })).rejects.toThrow("subscription");
    await expect(sandbox.change("tiktok", "creator", {} as never)).rejects.toThrow("account");
  });

  test.each(["localhost:3010", "nothing", "ftp://localhost"])("%s is not the address of a sandbox", async (address) => {
    await expect(connectSandbox(address)).rejects.toThrow(
      `"${address}" is not the address of a sandbox. Example: http://localhost:3010`,
    );
  });

  test("a host with a letter such as ü is taken however often it was given before", async () => {
    vi.stubGlobal("fetch", async () => Response.json([]));
    for (let n = 0; n < 20_000; n++) {
      await connectSandbox("http://bücher.example");
      // Without pauses, the sandbox would see the idle connection of the last test end only when the next one uses it.
      if (n % 500 === 0) await otherEvents();
    }
    vi.unstubAllGlobals();
  });

  test("another server is recognised", async () => {
    const server = createServer((_, answer) => void answer.writeHead(404).end("Not here")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(connectSandbox(url)).rejects.toThrow(`${url} answers with 404, but is not a sandbox.`);
    server.close();
  });

  test("a used port is named, and no folder stays behind", async () => {
    await expect(startSandbox({ port: sandbox.port })).rejects.toThrow(`Port ${sandbox.port} is in use.`);
    await expect(startSandbox({ port: 1.5 })).rejects.toThrow("port must be a whole number from 0 to 65535, not 1.5.");
  });
});

test("a connection stays open for a program that is busy for longer than Node's five seconds", async () => {
  const answer = await fetch(`${sandbox.url}/_control/faults`);
  expect(answer.headers.get("keep-alive")).toBe("timeout=65");
});

test("a given folder keeps people and posts for the next start, and a sandbox that ended answers no more", async () => {
  const dir = `${process.env.DATA_DIR}/kept-sandbox`;
  const first = await startSandbox({ dir });
  await first.people.startBot({ person: "keeper", code: "a" });
  await first.close();
  await expect(first.posts.list()).rejects.toThrow(`No sandbox answers at ${first.url}.`);
  expect(existsSync(dir)).toBe(true);
  const second = await startSandbox({ dir });
  expect((await second.people.list("telegram")).map(({ name }) => name)).toContain("keeper");
  await second.close();
});

describe("networks that other computers reach", () => {
  test.each([
    { host: "sandbox:3010", origin: undefined, status: 200 },
    { host: "172.17.0.2:3010", origin: undefined, status: 200 },
    { host: "[fd00::1]:3010", origin: undefined, status: 200 },
    { host: "rebound.example:3010", origin: undefined, status: 403 },
    { host: "sandbox:3010", origin: "https://evil.example", status: 403 },
  ])("are controlled by programs, not by web pages: $host, $origin", async ({ host, origin, status }) => {
    const shared = await startSandbox({ host: "0.0.0.0" });
    const headers = { host, ...(origin ? { origin } : {}) };
    const answer = await new Promise<number | undefined>((resolve) => {
      get({ host: "127.0.0.1", port: shared.port, path: "/_control/posts", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    expect(answer).toBe(status);
    await shared.close();
  });
});

test("a port is free again after close", async () => {
  const one = await startSandbox();
  await one.close();
  const server = createTcpServer().listen(one.port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  server.close();
});

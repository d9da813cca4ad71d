import { describe, expect, test } from "vitest";
import { env, readEnv } from "../../env";
import type { App, NetworkSession } from "../network";
import { connectBy, failureOf, newMemory, submitConsent } from "../testing";
import { tiktok } from ".";
import { settings } from "./settings";
import { bench, connect, post } from "./testing/sandbox";

const at = bench();

describe("settings", () => {
  test("require privacyLevel; everything else is off by default", () => {
    expect(settings.parse({ privacyLevel: "SELF_ONLY" })).toEqual({
      title: "",
      privacyLevel: "SELF_ONLY",
      disableDuet: false,
      disableComments: false,
      disableStitch: false,
      brandContent: false,
      brandOrganic: false,
      aiContent: false,
      autoAddMusic: false,
      sendToDrafts: false,
      hasUsageConfirmation: false,
    });
    expect(settings.safeParse({}).success).toBe(false);
    expect(settings.safeParse({ privacyLevel: "PRIVATE" }).success).toBe(false);
    expect(settings.safeParse({ privacyLevel: "SELF_ONLY", privacy: 1 }).success).toBe(false);
  });
});

describe("connect", () => {
  test("requests scopes separated by commas, always shows the page and does not use PKCE", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "c".repeat(43), verifier: "v" };
    const { searchParams: asked, pathname } = new URL((await connect.begin(at.app, request)).url);
    expect(pathname).toBe("/tiktok/v2/auth/authorize/");
    expect(Object.fromEntries(asked)).toEqual({
      client_key: "sandbox-tiktok",
      response_type: "code",
      scope: "user.info.basic,video.publish,video.list,video.upload",
      redirect_uri: "http://localhost:3000/cb",
      state: "s",
      disable_auto_auth: "1",
    });
  });

  test("requests video.list and video.upload only if the operator says that the app has them", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "c".repeat(43), verifier: "v" };
    const { tiktokVideoList, tiktokVideoUpload } = env;
    Object.assign(env, { tiktokVideoList: false, tiktokVideoUpload: false });
    const { url } = await connect.begin(at.app, request);
    Object.assign(env, { tiktokVideoList, tiktokVideoUpload });
    expect(new URL(url).searchParams.get("scope")).toBe("user.info.basic,video.publish");
    const keys = { TIKTOK_CLIENT_ID: "key", TIKTOK_CLIENT_SECRET: "secret" };
    expect(readEnv(keys)).toMatchObject({ tiktokVideoList: false, tiktokVideoUpload: false });
    expect(readEnv({ ...keys, TIKTOK_VIDEO_LIST: "on" })).toMatchObject({ tiktokVideoList: true });
    expect(readEnv({ ...keys, TIKTOK_VIDEO_UPLOAD: "on" })).toMatchObject({ tiktokVideoUpload: true });
  });

  test("returns both tokens, their expiry and the granted scopes", async () => {
    const { tokens } = await at.person();
    expect(tokens.accessToken).toMatch(/^act\./);
    expect(tokens.refreshToken).toMatch(/^rft\./);
    expect(tokens.scopes).toEqual(expect.arrayContaining(connect.requiredScopes));
    const seconds = (Date.parse(tokens.expiresAt ?? "") - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(7000);
    expect(seconds).toBeLessThanOrEqual(7200);
  });

  test("reports declined scopes", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(at.app, request);
    const answer = await submitConsent(url, { account: "picky", decision: "allow", ...{ without: "video.publish" } });
    const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const tokens = await connect.exchange(at.app, { code, redirectUri: request.redirectUri, verifier: "", keep: {} });
    expect(connect.requiredScopes.filter((scope) => !tokens.scopes?.includes(scope))).toEqual(["video.publish"]);
  });

  test("reports a declined consent as access_denied", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(at.app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=access_denied");
  });

  test("asks to sign in again after a wrong code", async () => {
    const callback = { code: "wrong", redirectUri: "http://localhost:3000/cb", verifier: "", keep: {} };
    expect(await failureOf(connect.exchange(at.app, callback))).toMatchObject({
      kind: "reconnect",
      message: expect.stringContaining("sign-in"),
    });
  });

  test("reads the account", async () => {
    const person = await at.person();
    const profile = await tiktok.profile(person);
    expect(profile).toEqual({
      accountId: expect.stringMatching(/^-000/),
      username: person.name,
      displayName: expect.any(String),
      avatarUrl: expect.stringContaining("/profile_images/"),
    });
  });

  test("reads the account while TikTok refuses the creator's options: the known user name stays", async () => {
    const person = await at.person({ isBanned: true });
    expect(person.username).toBe((await tiktok.profile(person)).displayName); // the first connect knows no other name
    expect(await tiktok.profile({ ...person, username: "known" })).toMatchObject({ username: "known" });
  });
});

describe("refresh", () => {
  test("returns a new pair; the old token requires connecting again, although TikTok answers with status 200", async () => {
    const { tokens } = await at.person();
    const fresh = await tiktok.refresh?.run(at.app, tokens);
    expect(fresh?.refreshToken).not.toBe(tokens.refreshToken);
    const error = await failureOf(tiktok.refresh?.run(at.app, tokens));
    expect(error).toMatchObject({ kind: "reconnect", answer: { status: 200, code: "invalid_grant" } });
  });

  test("requires connecting again after the account was disconnected", async () => {
    const person = await at.person();
    await tiktok.revoke?.(at.app, person.tokens);
    expect(await failureOf(tiktok.profile(person))).toMatchObject({ kind: "reconnect" });
  });

  test("treats an error with status 200 to a disconnection as an error", async () => {
    const { tokens } = await at.person();
    const refusing: App = {
      ...at.app,
      fetch: async (path, call) =>
        path === "/v2/oauth/revoke/"
          ? Response.json({ error: "invalid_request", error_description: "The access token is invalid.", log_id: "1" })
          : at.app.fetch(path, call),
    };
    expect(await failureOf(tiktok.revoke?.(refusing, tokens))).toMatchObject({
      answer: { status: 200, code: "invalid_request" },
    });
  });
});

describe("creator options", () => {
  test("are read live", async () => {
    const free = await at.person();
    expect(await tiktok.accountOptions?.(free)).toEqual({
      displayName: expect.any(String),
      settings: {
        privacyLevel: ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
        disableComments: [false, true],
        disableDuet: [false, true],
        disableStitch: [false, true],
      },
      video: { maxSeconds: 180 },
    });
    await at.control("creator", { account: free.name, isPrivate: true, commentDisabled: true, maxSeconds: 60 });
    expect(await tiktok.accountOptions?.(free)).toMatchObject({
      settings: {
        privacyLevel: ["FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
        disableComments: [true],
        disableDuet: [true],
        disableStitch: [true],
      },
      video: { maxSeconds: 60 },
    });
  });

  test("a limit that TikTok reports with status 200 stops the post", async () => {
    const banned = await at.person({ isBanned: true });
    const sent = post([at.video()], "never");
    expect(await failureOf(at.publish("video", sent, banned))).toMatchObject({
      kind: "rejected",
      answer: { status: 200, code: "spam_risk_user_banned_from_posting" },
    });
  });

  test.each([
    [
      "another privacy level",
      { isPrivate: true, duetDisabled: false },
      { disableDuet: true, disableStitch: true },
      "privacyLevel",
    ],
    ["comments", { commentDisabled: true }, {}, "disableComments must be true"],
    ["duets", { duetDisabled: true }, {}, "disableDuet must be true"],
    ["stitches", { stitchDisabled: true }, {}, "disableStitch must be true"],
    ["a longer video", { maxSeconds: 4 }, {}, "may be at most 4 seconds long, this one has 5"],
  ])("rejects %s before starting anything", async (_, creator, given, says) => {
    const person = await at.person(creator);
    const error = await failureOf(at.publish("video", post([at.video()], "no", given), person));
    expect(error).toMatchObject({ kind: "rejected", message: expect.stringContaining(says) });
    expect(
      (await at.sandbox.calls()).some(
        ({ path, ...call }) => path.endsWith("init/") && "account" in call && call.account === person.name,
      ),
    ).toBe(false);
  });

  test("allow a video of exactly the maximum duration, and ignore duets for photos", async () => {
    const person = await at.person({ maxSeconds: 5, duetDisabled: true, stitchDisabled: true });
    await at.publish("video", post([at.video()], "long", { disableDuet: true, disableStitch: true }), person);
    await at.publish("image", post([await at.sandbox.image()], "photo"), person);
    expect((await at.held(person.name)).map(({ text }) => text)).toEqual(["long", "photo"]);
  });
});

describe("publish", () => {
  test("publishes a video with all its settings", async () => {
    const person = await at.person();
    const switches = { disableDuet: true, disableComments: true, brandOrganic: true, aiContent: true };
    const given = { title: "A title", ...switches, videoCoverTimestampMs: 1500, photoCoverIndex: 1 };
    const publishedPost = await at.publish("video", post([at.video()], "and a text #one @two", given), person);
    const [one, ...more] = await at.held(person.name);
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      text: "A title \nand a text #one @two",
      settings: {
        privacy_level: "PUBLIC_TO_EVERYONE",
        disable_duet: true,
        disable_stitch: false,
        disable_comment: true,
        brand_content_toggle: false,
        brand_organic_toggle: true,
        is_aigc: true,
        video_cover_timestamp_ms: 1500,
      },
    });
    expect(publishedPost).toEqual({ id: one?.id, permalink: one?.permalink });
    expect(publishedPost.id).toMatch(/^\d{19}$/);
  });

  test("publishes one photo with title, description and music", async () => {
    const person = await at.person();
    const given = { title: "A title", autoAddMusic: true, brandContent: true, aiContent: true, disableDuet: true };
    const publishedPost = await at.publish("image", post([await at.sandbox.image()], "A description", given), person);
    const [one] = await at.held(person.name);
    expect(one).toMatchObject({
      text: "A description",
      permalink: expect.stringContaining("/photo/"),
      settings: {
        title: "A title",
        disable_comment: false,
        auto_add_music: true,
        brand_content_toggle: true,
        brand_organic_toggle: false,
        is_aigc: false,
        photo_cover_index: 0,
      },
    });
    expect(publishedPost).toEqual({ id: one?.id, permalink: one?.permalink });
  });

  test("the label for content made with AI is sent for videos that have it, and never for photos", async () => {
    const person = await at.person();
    const sent: string[] = [];
    const watched: NetworkSession = {
      ...person,
      fetch(path, call) {
        if (path.endsWith("/init/")) sent.push(String(call?.body));
        return person.fetch(path, call);
      },
    };
    for (const aiContent of [true, false]) {
      await at.publish("video", post([at.video()], `video ${aiContent}`, { aiContent }), watched);
      await at.publish("image", post([await at.sandbox.image()], `photo ${aiContent}`, { aiContent }), watched);
    }
    expect(sent.map((body) => body.includes("is_aigc"))).toEqual([true, false, false, false]);
  });

  test("the cover is the chosen photo", async () => {
    const person = await at.person();
    const media = [await at.sandbox.image(), await at.sandbox.image()];
    await at.publish("carousel", post(media, "covered", { photoCoverIndex: 1 }), person);
    expect(await at.held(person.name)).toMatchObject([{ settings: { photo_cover_index: 1 } }]);
  });

  test("publishes ten photos in order", async () => {
    const person = await at.person();
    const media = await Promise.all(
      Array.from({ length: 10 }, (_, index) => at.sandbox.image({ shade: 20 * index, width: 400 + 7 * index })),
    );
    await at.publish("carousel", post(media, "Ten"), person);
    const [one] = await at.held(person.name);
    expect(one?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(media.map(({ sizeBytes }) => sizeBytes));
  });

  test("a private post keeps its publish_id and has no address", async () => {
    const person = await at.person();
    const publishedPost = await at.publish("video", post([at.video()], "mine", { privacyLevel: "SELF_ONLY" }), person);
    const [one] = await at.held(person.name);
    expect(one).toMatchObject({ settings: { publish_id: publishedPost.id } });
    expect(publishedPost.permalink).toBeUndefined();
  });

  test("publishes without ID if the ID does not appear in time", async () => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post([at.video()], "slow moderation");
    memory.done.set("video, outcome", { ids: [], at: Date.now() - 3_600_000 });
    const hidden = { ...person, fetch: withoutIds(person) };
    const publishedPost = await at.publish("video", sent, hidden, memory);
    expect(publishedPost).toEqual({ id: expect.stringMatching(/^v_pub_file/) });
  });

  test("uses the standard address without permission to read posts", async () => {
    const person = await at.person();
    const scopes = connect.requiredScopes;
    const unread = { ...person, tokens: { ...person.tokens, scopes } };
    const { id, permalink } = await at.publish("video", post([at.video()], "unread"), unread);
    expect(permalink).toBe(`https://www.tiktok.com/@${person.name}/video/${id}`);
  });
});

function withoutIds(session: Awaited<ReturnType<typeof at.person>>): typeof session.fetch {
  return async (path, call) => {
    const answer = await session.fetch(path, call);
    if (!path.includes("status/fetch")) return answer;
    const body = await answer.json();
    return Response.json({ ...body, data: { ...body.data, publicaly_available_post_id: [] } });
  };
}

test("distinguishes two accounts of one person by open_id", async () => {
  const [one, two] = [await at.person(), await at.person()];
  expect(one.accountId).not.toBe(two.accountId);
  expect((await connectBy(at.app, connect, one.name)).accessToken).not.toBe(one.tokens.accessToken);
});

import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { NetworkSession } from "../network";
import { connectBy, failureOf, newMemory, submitConsent } from "../testing";
import { makeSession } from "../wire/fetch";
import { youtube } from ".";
import { isShort } from "./publish";
import { categoryIds, settings } from "./settings";
import { bench, connect, post } from "./testing/sandbox";

const at = bench();

describe("settings", () => {
  test("require a title; the defaults are PUBLIC and PEOPLE_BLOGS", () => {
    expect(settings.parse({ title: "a" })).toEqual({ title: "a", privacyStatus: "PUBLIC", category: "PEOPLE_BLOGS" });
    expect(settings.safeParse({}).success).toBe(false);
    expect(settings.safeParse({ title: "a", privacyStatus: "public" }).success).toBe(false);
    expect(settings.safeParse({ title: "a", keywords: [] }).success).toBe(false);
  });

  const manyTags = (last: string) => [...Array(49).fill("nine char"), last]; // each is counted as 11, and one for its comma
  test.each<[string, object, boolean]>([
    ["500 characters of tags, with commas", { tags: [...Array(49).fill("nine.char"), "nine.char."] }, true],
    ["501 characters of tags", { tags: [...Array(49).fill("nine.char"), "nine.char.12"] }, false],
    ["tags whose quotes exceed 500", { tags: manyTags("1") }, false],
    ["an empty tag", { tags: [" "] }, false],
    ["the ID of a playlist", { playlistId: "PLabc_DEF-123" }, true],
    ["a language", { captionsLanguage: "pt-BR" }, true],
    ["no language", { captionsLanguage: "Portuguese (Brazil)" }, false],
    ["SRT", { captions: "1\n00:00:01,000 --> 00:00:02,500\nDing" }, true],
    ["WebVTT", { captions: "WEBVTT\n\n00:01.000 --> 00:02.500\nDing" }, true],
    ["captions without times", { captions: "Ding, dong" }, false],
  ])("accept or refuse %s", (_, given, isValid) => {
    expect(settings.safeParse({ title: "a", ...given }).success).toBe(isValid);
  });

  test("turn the address of a playlist into its ID", () => {
    const address = "https://www.youtube.com/playlist?list=PLabc_DEF-123&si=x";
    expect(settings.safeParse({ title: "a", playlistId: address }).error?.issues).toMatchObject([
      { path: ["playlistId"], params: { rule: "youtube.playlist", change: { op: "replace", value: "PLabc_DEF-123" } } },
    ]);
  });
});

describe("connect", () => {
  const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "c".repeat(43), verifier: "v" };

  test("requests offline access and forces consent, which returns a refresh token", async () => {
    const { searchParams: asked, pathname } = new URL((await connect.begin(at.app, request)).url);
    expect(pathname).toBe("/youtube/o/oauth2/v2/auth");
    expect(Object.fromEntries(asked)).toEqual({
      client_id: "sandbox-youtube",
      redirect_uri: "http://localhost:3000/cb",
      response_type: "code",
      scope: ["upload", "readonly", "force-ssl"]
        .map((name) => `https://www.googleapis.com/auth/youtube.${name}`)
        .join(" "),
      state: "s",
      access_type: "offline",
      prompt: "consent select_account",
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
    });
  });

  test("returns both tokens, their expiry and the granted scopes, also when connecting again", async () => {
    for (const _ of [1, 2]) {
      const tokens = await connectBy(at.app, connect, "again");
      expect(tokens).toMatchObject({ accessToken: expect.any(String), refreshToken: expect.any(String) });
      expect(tokens.scopes).toEqual(expect.arrayContaining(connect.requiredScopes));
      expect(Date.parse(tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(3500 * 1000);
    }
  });

  test("reports declined scopes", async () => {
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const { url } = await connect.begin(at.app, { ...request, challenge });
    const [, readonly = ""] = connect.requiredScopes;
    const answer = await submitConsent(url, { account: "picky", decision: "allow", ...{ without: readonly } });
    const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const tokens = await connect.exchange(at.app, { code, redirectUri: request.redirectUri, verifier, keep: {} });
    expect(connect.requiredScopes.filter((scope) => !tokens.scopes?.includes(scope))).toEqual([readonly]);
  });

  test("reports a declined consent as access_denied", async () => {
    const { url } = await connect.begin(at.app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=access_denied");
  });

  test("asks to sign in again after a wrong code", async () => {
    const callback = { code: "4/wrong", redirectUri: request.redirectUri, verifier: "v".repeat(43), keep: {} };
    expect(await failureOf(connect.exchange(at.app, callback))).toMatchObject({
      kind: "reconnect",
      message: expect.stringContaining("sign-in"),
    });
  });

  test("reads the channel as account", async () => {
    const person = await at.person();
    expect(await youtube.profile(person)).toEqual({
      accountId: expect.stringMatching(/^UC[\w-]{22}$/),
      username: `@${person.name}`,
      displayName: expect.any(String),
      avatarUrl: expect.stringContaining("/profile_images/"),
    });
  });

  test("reports a Google account without a channel", async () => {
    await at.control("channel", { account: "nochannel", exists: false });
    const tokens = await connectBy(at.app, connect, "nochannel");
    const nobody = makeSession(youtube, at.app, { accountId: "", username: "", tokens });
    expect(await failureOf(youtube.profile(nobody))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("has no YouTube channel"),
    });
  });
});

describe("refresh", () => {
  test("returns only a new access token, so the refresh token stays", async () => {
    const { tokens } = await at.person();
    const fresh = await youtube.refresh?.run(at.app, tokens);
    expect(fresh?.accessToken).not.toBe(tokens.accessToken);
    expect(fresh?.refreshToken).toBeUndefined();
    expect((await youtube.refresh?.run(at.app, tokens))?.accessToken).toBeDefined();
  });

  test("requires connecting again after the account was revoked", async () => {
    const person = await at.person();
    await youtube.revoke?.(at.app, person.tokens);
    expect(await failureOf(youtube.refresh?.run(at.app, person.tokens))).toMatchObject({
      kind: "reconnect",
      answer: { code: "invalid_grant" },
    });
    expect(await failureOf(youtube.profile(person))).toMatchObject({ kind: "reconnect" });
  });
});

describe("upload limit of a channel", () => {
  test("depends on whether its owner is verified", async () => {
    const [proved, fresh] = [await at.person(), await at.person({ isVerified: false })];
    expect(await youtube.accountOptions?.(proved)).toMatchObject({ video: { maxSeconds: 43_200 } });
    expect(await youtube.accountOptions?.(fresh)).toMatchObject({ video: { maxSeconds: 900 } });
  });

  test("rejects more than 15 minutes before sending anything", async () => {
    const fresh = await at.person({ isVerified: false });
    const long = { ...at.video(), durationSeconds: 901 };
    expect(await failureOf(at.publish(post(long), fresh))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("15 minutes"),
    });
    expect(await at.statuses(fresh.name, "prepare")).toEqual([]);
    await at.publish(post({ ...at.video(), durationSeconds: 900 }), fresh);
    expect(await at.held(fresh.name)).toHaveLength(1);
  });
});

describe("publish", () => {
  test("publishes a video with title, description, category and privacy", async () => {
    const person = await at.person();
    const given = { title: "Bells & whistles", privacyStatus: "UNLISTED", category: "MUSIC" };
    const published = await at.publish(post(at.video(), given, { content: "Ring.\nTwice." }), person);
    const [one, ...more] = await at.held(person.name);
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      text: "Ring.\nTwice.",
      settings: {
        title: "Bells & whistles",
        categoryId: "10",
        privacyStatus: "unlisted",
      },
    });
    expect(one?.settings).not.toHaveProperty("selfDeclaredMadeForKids");
    expect(published).toEqual({ id: one?.id, permalink: `https://www.youtube.com/watch?v=${one?.id}` });
    expect(one?.permalink).toBe(published.permalink);
  });

  test.each(Object.entries(categoryIds))("category %s is %s", async (category, categoryId) => {
    const person = await at.person();
    await at.publish(post(at.video(), { category }), person);
    expect(await at.held(person.name)).toMatchObject([{ settings: { categoryId } }]);
  });

  test.each([true, false])("sends what the person declares: %s", async (answer) => {
    const person = await at.person();
    const given = {
      madeForKids: answer,
      containsSyntheticMedia: answer,
      notifySubscribers: answer,
      tags: ["a b", "c"],
    };
    await at.publish(post(at.video(), given), person);
    const [one] = await at.held(person.name);
    expect(one?.settings).toMatchObject({
      selfDeclaredMadeForKids: answer,
      containsSyntheticMedia: answer,
      tags: ["a b", "c"],
    });
    expect(one?.settings.notifySubscribers).toBe(answer ? undefined : false);
  });

  test("notes that YouTube changed the privacy", async () => {
    const person = await at.person();
    const forced = {
      ...person,
      fetch: async (...[path, call]: Parameters<typeof person.fetch>) => {
        const answer = await person.fetch(path, call);
        if (call?.method !== "PUT" || answer.status !== 200) return answer;
        const body = await answer.json();
        return Response.json({ ...body, status: { ...body.status, privacyStatus: "private" } });
      },
    };
    expect(await at.publish(post(at.video()), forced)).toMatchObject({
      note: "YouTube made it private instead of public",
    });
  });
});

describe("cover", () => {
  const wide = { width: 1280, height: 720 };

  test("is set for a video", async () => {
    const person = await at.person();
    const thumbnail = await at.sandbox.image({ width: 1280, height: 720 });
    const published = await at.publish(post(at.video(wide), {}, { thumbnail }), person);
    expect(published).not.toHaveProperty("note");
    expect(await at.held(person.name)).toMatchObject([{ settings: { thumbnail: { sizeBytes: thumbnail.sizeBytes } } }]);
  });

  test("is set for a Short after processing", async () => {
    const person = await at.person();
    const thumbnail = await at.sandbox.image({ width: 720, height: 1280 });
    await at.publish(post(at.video(), {}, { thumbnail }), person);
    expect(await at.held(person.name)).toMatchObject([{ settings: { thumbnail: { sizeBytes: thumbnail.sizeBytes } } }]);
  });

  test("that a channel may not set does not fail the post", async () => {
    const person = await at.person({ isVerified: false });
    const thumbnail = await at.sandbox.image();
    expect(await at.publish(post(at.video(wide), {}, { thumbnail }), person)).toMatchObject({
      id: expect.any(String),
      note: "The cover was not set: YouTube accepts covers only from channels whose owner is verified at youtube.com/verify",
    });
  });

  test("is retried after an internal error of YouTube", async () => {
    const person = await at.person();
    let faults = 2;
    const faulty = {
      ...person,
      fetch: async (...[path, call]: Parameters<typeof person.fetch>) => {
        if (path.includes("thumbnails") && faults-- > 0) await at.sandbox.fault({ operation: "*", fault: "http_500" });
        return person.fetch(path, call);
      },
    };
    const thumbnail = await at.sandbox.image();
    expect(await at.publish(post(at.video(wide), {}, { thumbnail }), faulty)).not.toHaveProperty("note");
    expect(await at.held(person.name)).toMatchObject([{ settings: { thumbnail: expect.any(Object) } }]);
  });

  test.each([
    ["vertical, three minutes", { width: 720, height: 1280, durationSeconds: 180 }, true],
    ["vertical, longer", { width: 720, height: 1280, durationSeconds: 181 }, false],
    ["square", { width: 720, height: 720, durationSeconds: 10 }, true],
    ["wide", { width: 721, height: 720, durationSeconds: 10 }, false],
  ])("%s: a Short or not", (_, facts, isOne) => {
    expect(isShort({ ...at.video(), ...facts })).toBe(isOne);
  });
});

describe("the playlists to choose from", () => {
  test("are all of the channel's own, by title, over several pages", async () => {
    const [person, other] = [await at.person(), await at.person()];
    await at.control("playlist", { account: other.name, id: "PLother", title: "Not theirs" });
    const ids = Array.from({ length: 51 }, (_, index) => `PL${person.name}-${index}`);
    for (const id of ids) await at.control("playlist", { account: person.name, id, title: `About ${id}` });
    const listed = await youtube.settingOptions?.playlistId?.(person);
    expect(listed).toHaveLength(51);
    expect(listed).toEqual(expect.arrayContaining(ids.map((id) => ({ id, title: `About ${id}` }))));
  });

  test("are none for a channel without playlists", async () => {
    expect(await youtube.settingOptions?.playlistId?.(await at.person())).toEqual([]);
  });
});

describe("playlist and captions", () => {
  const captions = "1\n00:00:01,000 --> 00:00:02,500\nGlöckchen";
  const track = { language: "de", name: "", text: captions };
  const playlistOf = async (name: string, facts: object = {}) => {
    const playlistId = `PL${name}`;
    await at.control("playlist", { account: name, id: playlistId, ...facts });
    return playlistId;
  };
  const videosIn = async (person: NetworkSession, playlistId: string) => {
    const answer = await person.fetch(`/youtube/v3/playlistItems?part=contentDetails&playlistId=${playlistId}`);
    return (await answer.json()).items.map(
      (item: { contentDetails: { videoId: string } }) => item.contentDetails.videoId,
    );
  };

  test("are added to the published video", async () => {
    const person = await at.person();
    const playlistId = await playlistOf(person.name);
    const published = await at.publish(post(at.video(), { playlistId, captions, captionsLanguage: "de" }), person);
    expect(published).not.toHaveProperty("note");
    expect(await videosIn(person, playlistId)).toEqual([published.id]);
    expect(await at.held(person.name)).toMatchObject([{ id: published.id, settings: { captions: [track] } }]);
  });

  test.each([
    ["a playlist of someone else", {}, "YouTube found no playlist with this ID"],
    ["a full playlist", { isFull: true }, "YouTube says that the playlist is full"],
  ])("%s: the post is published once, and the note says why", async (_, facts, reason) => {
    const person = await at.person();
    const playlistId = "isFull" in facts ? await playlistOf(person.name, facts) : "PLunknown";
    expect(await at.publish(post(at.video(), { playlistId }), person)).toMatchObject({
      id: expect.any(String),
      note: `The video was not added to the playlist: ${reason}`,
    });
    expect(await at.held(person.name)).toHaveLength(1);
  });

  test("without the permission, the post is published and the note says so", async () => {
    const person = await at.person();
    const playlistId = await playlistOf(person.name);
    const declined = { ...person, tokens: { ...person.tokens, scopes: connect.requiredScopes } };
    const published = await at.publish(post(at.video(), { playlistId, captions, captionsLanguage: "de" }), declined);
    expect(published.note).toMatch(/not added to the playlist: .*Reconnect.*The captions were not added: .*Reconnect/);
    expect(await videosIn(person, playlistId)).toEqual([]);
  });

  test.each(["drop_response", "http_500"])("%s when they are added: each is added once", async (fault) => {
    const person = await at.person();
    const playlistId = await playlistOf(person.name);
    const faults = new Set(["POST /youtube/v3/playlistItems", "POST /upload/youtube/v3/captions"]);
    const faulty: NetworkSession = {
      ...person,
      fetch: async (path, call) => {
        const isFaulty = faults.delete(`${call?.method} ${path.split("?")[0]}`);
        if (isFaulty) await at.sandbox.fault({ operation: "*", fault });
        return person.fetch(path, call);
      },
    };
    const published = await at.publish(post(at.video(), { playlistId, captions, captionsLanguage: "de" }), faulty);
    expect(faults.size).toBe(0);
    expect(published).not.toHaveProperty("note");
    expect(await videosIn(person, playlistId)).toEqual([published.id]);
    expect(await at.held(person.name)).toMatchObject([{ settings: { captions: [track] } }]);
  });

  test("are given up after five minutes of internal errors, and the post stays published", async () => {
    const person = await at.person();
    const memory = newMemory();
    memory.done.set("video, processed", { isProcessed: true, at: Date.now() - 3_600_000 });
    const playlistId = await playlistOf(person.name);
    const broken: NetworkSession = {
      ...person,
      fetch: async (path, call) => {
        if (path.includes("playlistItems")) await at.sandbox.fault({ operation: "*", fault: "http_500" });
        return person.fetch(path, call);
      },
    };
    expect(await at.publish(post(at.video(), { playlistId }), broken, memory)).toMatchObject({
      note: "The video was not added to the playlist: YouTube had an internal error",
    });
    expect(await at.held(person.name)).toHaveLength(1);
  });
});

describe("video rejected after the upload", () => {
  test("that cannot be converted", async () => {
    const person = await at.person();
    await at.sandbox.fault({ operation: "publish", fault: "processing_fails" });
    expect(await failureOf(at.publish(post(at.video()), person))).toMatchObject({
      kind: "rejected",
      undone: true,
      answer: { code: "conversion" },
    });
  });

  test("that is not a video", async () => {
    const person = await at.person();
    const facts = { kind: "video", contentType: "video/mp4", filename: "a.mp4" } as const;
    const fake = at.sandbox.file(Buffer.from("this is no video at all"), facts);
    expect(await failureOf(at.publish(post(fake), person))).toMatchObject({ answer: { code: "invalidFile" } });
    expect(await at.held(person.name)).toEqual([]);
  });

  test("that is too long for its channel, with unknown duration", async () => {
    const person = await at.person({ isVerified: false });
    const { durationSeconds: _, ...long } = at.video({ seconds: 902, fps: 1 });
    expect(await failureOf(at.publish(post(long), person))).toMatchObject({
      kind: "rejected",
      answer: { code: "length" },
    });
  });
});

test("publishes the video if the end of its processing cannot be read", async () => {
  const person = await at.person();
  const memory = newMemory();
  memory.done.set("video, uploaded", Date.now() - 3_600_000);
  await at.sandbox.fault({ operation: "status", fault: "http_500", times: 9 });
  const published = await at.publish(post(at.video()), person, memory);
  expect((await at.held(person.name)).map(({ id }) => id)).toEqual([published.id]);
});

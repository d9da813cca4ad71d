import { describe, expect, test } from "vitest";
import { failureOf, newMemory } from "../testing";
import { isSamePhotoPost } from "./publish-photos";
import { settings } from "./settings";
import { bench, post } from "./testing/sandbox";

const at = bench();

describe("lost answers", () => {
  test.each(["drop_response", "cut_body"])("%s: finds the post and sends it once", async (fault) => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post([await at.sandbox.image()], `lost by ${fault}`, { title: "Title" });
    await at.sandbox.fault({ operation: "publish", fault });
    expect(await failureOf(at.publish("image", sent, person, memory))).toMatchObject({ kind: "unknown" });
    await expect.poll(() => at.held(person.name)).toHaveLength(1);
    await at.sandbox.advance(5);
    const publishedPost = await at.publish("image", sent, person, memory);
    const [one] = await at.held(person.name);
    expect(publishedPost).toEqual({ id: one?.id, permalink: one?.permalink });
  });

  test("finds nothing if the call was never processed, and sends nothing again", async () => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post([await at.sandbox.image()], "never done");
    await at.sandbox.fault({ operation: "publish", fault: "refuse" });
    for (let round = 0; round < 2; round++)
      expect(await failureOf(at.publish("image", sent, person, memory))).toMatchObject({ kind: "unknown" });
    expect(await at.held(person.name)).toEqual([]);
  });

  test.each([
    ["a post for friends", { privacyLevel: "MUTUAL_FOLLOW_FRIENDS" }, undefined],
    ["missing permission to read posts", {}, ["video.publish"]],
  ])("%s: the post is not listed, so its outcome stays open", async (_, given, scopes) => {
    const person = await at.person();
    const session = scopes ? { ...person, tokens: { ...person.tokens, scopes } } : person;
    const memory = newMemory();
    const sent = post([await at.sandbox.image()], "hidden", given);
    await at.sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(at.publish("image", sent, session, memory));
    expect(await failureOf(at.publish("image", sent, session, memory))).toMatchObject({
      name: "ReadBackImpossible",
      message: expect.stringContaining("shows this post only"),
    });
  });

  test("finds the lost one of two identical posts", async () => {
    const person = await at.person();
    const sent = post([await at.sandbox.image()], "twins");
    const first = await at.publish("image", sent, person);
    const memory = newMemory();
    await at.sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(at.publish("image", sent, person, memory));
    await expect.poll(() => at.held(person.name)).toHaveLength(2);
    await at.sandbox.advance(5);
    const second = await at.publish("image", sent, person, memory);
    expect((await at.held(person.name)).map(({ id }) => id)).toEqual([first.id, second.id]);
  });
});

describe("match of a listed post", () => {
  const expected = {
    content: "A text",
    settings: settings.parse({ privacyLevel: "PUBLIC_TO_EVERYONE", title: "A title" }),
  };
  const read = (fields: object) => ({ id: "1", create_time: 1, ...fields });
  test.each([
    ["each text in its own field", { title: "A title", video_description: "A text" }, true],
    ["both texts in one field", { title: "", video_description: "A title\nA text" }, true],
    ["both texts in one field, without the line break", { title: "", video_description: "A titleA text" }, true],
    ["the title in both fields", { title: "A title", video_description: "A title A text" }, true],
    ["another text", { title: "A title", video_description: "Another" }, false],
    ["no title", { title: "", video_description: "A text" }, false],
    [
      "a video",
      { title: "A title", video_description: "A text", share_url: "https://www.tiktok.com/@a/video/1" },
      false,
    ],
  ])("%s", (_, fields, same) => {
    expect(isSamePhotoPost(read(fields), expected)).toBe(same);
  });

  test("a text whose line breaks TikTok dropped", () => {
    const lines = { ...expected, content: "One line\n\nand another" };
    expect(isSamePhotoPost(read({ title: "A title", video_description: "One lineand another" }), lines)).toBe(true);
    expect(isSamePhotoPost(read({ title: "A title", video_description: "One line and another" }), lines)).toBe(true);
  });

  test("a post without texts only matches one without texts", () => {
    const wordless = { content: "", settings: { ...expected.settings, title: "" } };
    expect(isSamePhotoPost(read({ title: "", video_description: "" }), wordless)).toBe(true);
    expect(isSamePhotoPost(read({ title: "", video_description: "Another" }), wordless)).toBe(false);
  });
});

describe("photos that TikTok rejects", () => {
  test.each([
    ["PNG", { format: "png" as const }, "file_format_check_failed"],
    ["more than 1080p", { width: 1081, height: 1081 }, "picture_size_check_failed"],
  ])("%s: rejected after the call was accepted", async (_, shape, code) => {
    const person = await at.person();
    const sent = post([await at.sandbox.image(shape)], "unfit");
    expect(await failureOf(at.publish("image", sent, person))).toMatchObject({ kind: "rejected", answer: { code } });
  });

  test("a fetch error: sends a new address, and publishes once", async () => {
    const person = await at.person();
    const memory = newMemory();
    const image = await at.sandbox.image();
    const addresses = ["http://127.0.0.1:9/gone.jpg", await image.publicUrl()];
    const sent = post([{ ...image, publicUrl: async () => addresses.shift() ?? "" }], "fetched again");
    const error = await failureOf(at.publish("image", sent, person, memory));
    expect(error).toMatchObject({ kind: "later", answer: { code: "photo_pull_failed" } });
    memory.done.set("photos, outcome", { failed: "photo_pull_failed", ids: [], at: Date.now() - 60_000 });
    await at.publish("image", sent, person, memory);
    expect(await at.held(person.name)).toHaveLength(1);
  });
});

describe("errors", () => {
  test("an unknown media host is an operator problem", async () => {
    const person = await at.person();
    const image = { ...(await at.sandbox.image()), publicUrl: async () => "https://media.example.com/a.jpg" };
    expect(await failureOf(at.publish("image", post([image], "unverified"), person))).toMatchObject({
      kind: "operator",
      refused: true,
      answer: { code: "url_ownership_unverified" },
    });
  });

  test("waits a minute for a rate limit", async () => {
    const person = await at.person();
    await at.sandbox.fault({ operation: "publish", fault: "rate_limit" });
    const error = await failureOf(at.publish("image", post([await at.sandbox.image()], "fast"), person));
    expect(error).toMatchObject({ kind: "later", refused: true, retryAfterSeconds: 60 });
  });

  test("requires connecting again after the token was revoked", async () => {
    const person = await at.person();
    await at.sandbox.fault({ operation: "publish", fault: "revoke_token" });
    const error = await failureOf(at.publish("image", post([await at.sandbox.image()], "revoked"), person));
    expect(error).toMatchObject({ kind: "reconnect", answer: { code: "access_token_invalid" } });
  });

  test("reports an application that is not audited", async () => {
    await at.control("app", { isAudited: false });
    await at.sandbox.advance(86_400); // the users of the day before filled the limit
    const [open, hidden] = [await at.person(), await at.person({ isPrivate: true })];
    const image = await at.sandbox.image();
    expect(await failureOf(at.publish("image", post([image], "public"), open))).toMatchObject({
      kind: "operator",
      answer: { code: "unaudited_client_can_only_post_to_private_accounts" },
    });
    await at.publish("image", post([image], "private", { privacyLevel: "SELF_ONLY" }), hidden);
    expect(await at.held(hidden.name)).toHaveLength(1);
    await at.control("app", { isAudited: true });
  });
});

import { describe, expect, onTestFinished, test } from "vitest";
import { env } from "../../env";
import type { FormatName, PlannedMedia } from "../network";
import { networkFormat } from "../network";
import { failureOf, newMemory } from "../testing";
import { tiktok } from ".";
import { settings } from "./settings";
import { bench, post } from "./testing/sandbox";

const at = bench();
const draft = { sendToDrafts: true, privacyLevel: "SELF_ONLY" };
const handedOver = {
  id: expect.stringMatching(/^[vp]_inbox_/),
  isDraft: true,
  note: expect.stringContaining("not public until the creator publishes it"),
};

describe("a draft", () => {
  test("of a video has only the file, and is not published", async () => {
    const person = await at.person();
    const sent = post([at.video()], "Not sent", { ...draft, title: "Not sent either" });
    expect(await at.publish("video", sent, person)).toEqual(handedOver);
    expect(await at.held(person.name)).toMatchObject([
      { text: "", media: [{ type: "video/mp4" }], settings: { is_draft: true } },
    ]);
  });

  test("of photos keeps the texts and the cover", async () => {
    const person = await at.person();
    const photos = [await at.sandbox.image(), await at.sandbox.image({ shade: 60 })];
    const sent = post(photos, "About bells", { ...draft, title: "Bells", photoCoverIndex: 1 });
    expect(await at.publish("carousel", sent, person)).toEqual(handedOver);
    expect(await at.held(person.name)).toMatchObject([
      { text: "About bells", settings: { is_draft: true, title: "Bells", photo_cover_index: 1 } },
    ]);
  });

  test("is not compared with the creator's options, because the creator chooses them in the app", async () => {
    const person = await at.person({ isPrivate: true });
    const sent = post([at.video()], "", { ...draft, privacyLevel: "PUBLIC_TO_EVERYONE" });
    expect(await at.publish("video", sent, person)).toEqual(handedOver);
  });

  test("needs the permission to send drafts, and sends nothing without it", async () => {
    const person = await at.person();
    const tokens = { ...person.tokens, scopes: ["user.info.basic", "video.publish"] };
    for (const [format, media] of [
      ["video", at.video()],
      ["image", await at.sandbox.image()],
    ] as const) {
      expect(await failureOf(at.publish(format, post([media], "", draft), { ...person, tokens }))).toMatchObject({
        kind: "rejected",
        message: expect.stringContaining("Reconnect it and allow drafts"),
      });
    }
    expect(await at.held(person.name)).toEqual([]);
  });

  test("waits if five drafts are waiting at TikTok", async () => {
    const person = await at.person();
    for (let count = 0; count < 5; count++) await at.publish("video", post([at.video()], "", draft), person);
    await at.sandbox.advance(61); // six inits per minute
    expect(await failureOf(at.publish("video", post([at.video()], "", draft), person))).toMatchObject({
      kind: "later",
      message: expect.stringContaining("drafts"),
    });
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body", "http_500", "refuse"])("%s of a video: one draft", async (fault) => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post([at.video()], "", draft);
    await at.sandbox.fault({ operation: "publish", fault });
    expect(await failureOf(at.publish("video", sent, person, memory))).toMatchObject({ kind: "unknown" });
    expect(await at.publish("video", sent, person, memory)).toEqual(handedOver);
    expect(await at.held(person.name)).toHaveLength(1);
  });

  test("of photos stay unknown and nothing is sent again, because drafts are not listed", async () => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post([await at.sandbox.image()], "lost draft", { ...draft, privacyLevel: "PUBLIC_TO_EVERYONE" });
    await at.sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(at.publish("image", sent, person, memory));
    await expect.poll(() => at.held(person.name)).toHaveLength(1);
    expect(await failureOf(at.publish("image", sent, person, memory))).toMatchObject({ name: "ReadBackImpossible" });
    expect(await at.held(person.name)).toHaveLength(1);
  });
});

describe("checks", () => {
  const image: PlannedMedia = { kind: "image", contentType: "image/jpeg" };
  const video: PlannedMedia = { kind: "video", contentType: "video/mp4", durationSeconds: 5 };
  const problemsOf = (format: FormatName, media: PlannedMedia, content: string, given: object) => {
    const parsed = settings.parse({ ...draft, ...given });
    const found = networkFormat(tiktok, parsed, format)?.check?.({ content, media: [media], settings: parsed }) ?? [];
    return found.map(({ at: path, rule, severity }) => [path, rule, severity]);
  };

  test("a text that a video's draft cannot have is a warning", () => {
    expect(problemsOf("video", video, "Text", { title: "Title" })).toEqual([
      ["content", "tiktok.draft_text", "warning"],
      ["platformSettings.title", "tiktok.draft_text", "warning"],
    ]);
    expect(problemsOf("video", video, "", {})).toEqual([]);
    expect(problemsOf("image", image, "Text", { title: "Title" })).toEqual([]);
  });

  test("rules of publications do not apply, because the creator decides in the app", () => {
    expect(problemsOf("image", image, "", { brandContent: true, aiContent: true })).toEqual([]);
  });

  test("without TIKTOK_VIDEO_UPLOAD, drafts are refused at schedule time", () => {
    const { tiktokVideoUpload } = env;
    Object.assign(env, { tiktokVideoUpload: false });
    onTestFinished(() => void Object.assign(env, { tiktokVideoUpload }));
    const refused = ["platformSettings.sendToDrafts", "tiktok.drafts_off", undefined];
    expect(problemsOf("video", video, "", {})).toEqual([refused]);
    expect(problemsOf("image", image, "", {})).toEqual([refused]);
  });
});

import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failureOf } from "../testing";
import { makeApp } from "../wire/fetch";
import { tiktok } from ".";

const app = makeApp(tiktok, { mode: "real", clientId: "key", clientSecret: "secret" });
const signed = (body: string, secret = "secret", at = 1_800_000_000) =>
  new Headers({
    "TikTok-Signature": `t=${at},s=${createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")}`,
  });
const stated = (event: string, content: object, more: object = {}) =>
  JSON.stringify({
    client_key: "key",
    event,
    create_time: 1_800_000_000,
    user_openid: "-000abc",
    content: JSON.stringify(content).replace(/"(\d{19})"/, "$1"),
    ...more,
  });
const read = (body: string, headers = signed(body)) => tiktok.notifications?.(app, { headers, body });

describe("signature", () => {
  const body = stated("authorization.removed", { reason: 1 });
  test.each<[string, Headers]>([
    ["is missing", new Headers()],
    ["is from another application", signed(body, "other")],
    [
      "is for another time",
      new Headers({ "tiktok-signature": signed(body).get("tiktok-signature")?.replace("t=18", "t=19") ?? "" }),
    ],
    ["is for another body", signed(`${body} `)],
    ["is truncated", new Headers({ "tiktok-signature": signed(body).get("tiktok-signature")?.slice(0, -2) ?? "" })],
    ["is not hexadecimal", new Headers({ "tiktok-signature": "t=1800000000,s=zz" })],
  ])("rejects a call whose signature %s", async (_, headers) => {
    expect(await failureOf(Promise.resolve().then(() => read(body, headers)))).toMatchObject({ kind: "rejected" });
  });
});

describe("authorization.removed", () => {
  test.each([
    [0, "TikTok ended the permission."],
    [1, "removed Carillon's permission"],
    [2, "was deleted"],
    [3, "age"],
    [4, "banned"],
    [5, "returned to TikTok"],
  ])("reason %i", (reason, says) => {
    expect(read(stated("authorization.removed", { reason }))).toEqual([
      {
        kind: "deauthorized",
        accountId: "-000abc",
        at: new Date(1_800_000_000_000),
        says: expect.stringContaining(says),
      },
    ]);
  });
});

test("post.publish.publicly_available returns the post's full 19-digit ID and its address", () => {
  const content = { publish_id: "v_pub_file~v2-1.5", publish_type: "DIRECT_POST", post_id: "7400000000000000001" };
  const [notice] = read(stated("post.publish.publicly_available", content)) ?? [];
  expect(notice).toMatchObject({ kind: "post id", handle: "v_pub_file~v2-1.5", id: "7400000000000000001" });
  if (notice?.kind !== "post id") throw new Error("no ID was sent");
  expect(notice.permalink("alice")).toBe("https://www.tiktok.com/@alice/video/7400000000000000001");
  const photos = { ...content, publish_id: "p_pub_url~v2.5" };
  const [photo] = read(stated("post.publish.publicly_available", photos)) ?? [];
  expect(photo?.kind === "post id" && photo.permalink("alice")).toBe(
    "https://www.tiktok.com/@alice/photo/7400000000000000001",
  );
});

test.each([
  ["for another application", stated("authorization.removed", { reason: 1 }, { client_key: "other" })],
  ["with an unhandled event", stated("post.publish.complete", { publish_id: "v" })],
  ["that is not JSON", "hello"],
  ["without an ID", stated("post.publish.publicly_available", { publish_id: "v" })],
])("ignores a message %s", (_, body) => {
  expect(read(body)).toEqual([]);
});

import { expect, test } from "vitest";
import { multipart } from "../wire/request-body";
import { botApi } from "./bot-api";

const field = (name: string, types: string[], required = false) => ({ name, types, required });
const described = botApi({
  source: "a description",
  version: "1",
  date: "2026-01-01",
  methods: {
    getMe: [],
    sendPhoto: [
      field("chat_id", ["Integer", "String"], true),
      field("photo", ["InputFile", "String"], true),
      field("loud", ["Boolean"]),
    ],
    sendAlbum: [
      field("media", ["Array of InputMediaPhoto", "Array of InputMediaVideo"], true),
      field("count", ["Integer"]),
    ],
  },
  types: {
    InputMediaPhoto: { fields: [field("media", ["String"], true)] },
    InputMediaVideo: { fields: [field("media", ["String"], true), field("width", ["Integer"])] },
  },
});
const ask = (address: string, headers: { [name: string]: string } = {}, body = "") =>
  described({
    method: "POST",
    path: address,
    query: new URLSearchParams(),
    headers: new Headers(headers),
    body: new TextEncoder().encode(body),
  });
const json = (method: string, value: object) =>
  ask(`/bot1:a/${method}`, { "content-type": "application/json" }, JSON.stringify(value));
const parts = async (method: string, of: Parameters<typeof multipart>[0]) => {
  const { headers, body } = multipart(of);
  return ask(`/bot1:a/${method}`, headers, await new Response(body).text());
};
const file = { filename: "a", contentType: "image/jpeg", sizeBytes: 1, open: async () => new Blob(["x"]).stream() };

test("accepts matching calls", async () => {
  expect(await ask("/bot1:a/getMe")).toEqual([]);
  expect(await parts("sendPhoto", { chat_id: "-1001", photo: file, loud: "true" })).toEqual([]);
  const media = [{ media: "attach://one" }, { media: "attach://two", width: 5 }];
  expect(await parts("sendAlbum", { media: JSON.stringify(media), one: file, two: file })).toEqual([]);
});

test.each([
  ["another method", () => json("sendPhotos", {}), "no such method in a description"],
  ["an unknown field", () => json("sendPhoto", { chat_id: 1, photo: "x", quiet: true }), "quiet is unknown"],
  ["a missing field", () => json("sendPhoto", { chat_id: 1 }), "photo is missing"],
  [
    "a value of another type",
    () => json("sendPhoto", { chat_id: 1.5, photo: "x" }),
    "chat_id is not Integer or String: 1.5",
  ],
  [
    "text instead of a boolean",
    () => parts("sendPhoto", { chat_id: "1", photo: file, loud: "yes" }),
    'loud is not Boolean: "yes"',
  ],
  [
    "an unknown field of an item",
    () => json("sendAlbum", { media: [{ media: "x", height: 5 }] }),
    'media is not Array of InputMediaPhoto or Array of InputMediaVideo: [{"media":"x","height":5}]',
  ],
  [
    "an unreferenced file part",
    () => parts("sendAlbum", { media: '[{"media":"attach://one"}]', one: file, two: file }),
    "two is unknown",
  ],
])("rejects %s", async (_, request, problem) => {
  expect(await request()).toContain(problem);
});

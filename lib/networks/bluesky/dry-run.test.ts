import { expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { dryRun } from "../dry-run";
import type { FormatName, OutgoingMedia } from "../network";
import { networkFormat } from "../network";
import { bluesky } from ".";
import { newProofKey } from "./oauth-client";
import type { BlueskySettings } from "./settings";

const account = { accountId: "did:plc:alice", username: "alice.test" };

function file(kind: "image" | "video", contentType: string): OutgoingMedia {
  const bytes = kind === "video" ? new Uint8Array(mp4({ seconds: 1 })) : new Uint8Array([1, 2, 3]);
  const open = async () => new Blob([bytes]).stream();
  const facts = { kind, contentType, filename: "file", sizeBytes: bytes.length, width: 30, height: 20 };
  return { ...facts, open, publicUrl: () => Promise.reject(new Error("not fetched by address")) };
}

async function publicProfile(
  format: FormatName,
  content: string,
  media: OutgoingMedia[] = [],
  after?: { id: string },
  extra?: { [name: string]: string },
) {
  const { run, requests } = dryRun(bluesky, account, { extra });
  await networkFormat(bluesky, {}, format)?.publish({ content, media, settings: {}, after }, run);
  const final = requests.filter(({ isFinal }) => isFinal);
  expect(final).toHaveLength(1);
  return {
    paths: requests.map(({ method, url }) => `${method} ${new URL(url).pathname.split("/").at(-1)}`),
    record: JSON.parse(final[0]?.body ?? "").record,
    all: JSON.stringify(requests),
    headers: requests.map(({ headers: { authorization, dpop } }) => [authorization, dpop]),
  };
}

test("shows the lookups of a link and a mention, with a chosen key", async () => {
  const { paths, record } = await publicProfile("text", "Hello @bob.test https://example.com/page");
  expect(paths).toEqual(["GET com.atproto.identity.resolveHandle", "GET page", "POST com.atproto.repo.putRecord"]);
  expect(record).toMatchObject({ text: "Hello @bob.test https://example.com/page", facets: [{}, {}] });
  expect(record).not.toHaveProperty("embed");
});

test("shows a long link in its shortened form", async () => {
  const link = "https://example.com/bells/in/the/tower";
  const { record } = await publicProfile("text", `Ring ${link}`);
  expect(record.text).toBe("Ring example.com/bells/in/the...");
  expect(record.facets[0].features).toEqual([{ $type: "app.bsky.richtext.facet#link", uri: link }]);
});

test("shows images", async () => {
  const images = [file("image", "image/png"), file("image", "image/png")];
  const { paths, record } = await publicProfile("carousel", "Two", images);
  expect(paths).toEqual([...Array(2).fill("POST com.atproto.repo.uploadBlob"), "POST com.atproto.repo.putRecord"]);
  const image = { $type: "blob", ref: { $link: "{blob cid}" }, mimeType: "{content type}", size: "{size}" };
  expect(record.embed.images).toMatchObject([{ image }, { image }]);
});

test("shows how the account signs in: OAuth with a proof of its key, an app password without", async () => {
  const key = await newProofKey();
  const pds = "https://pds.test";
  const oauth = await publicProfile("image", "One", [file("image", "image/png")], undefined, { pds, key });
  expect(oauth.headers).toEqual(Array(2).fill(["DPoP ***", "***"]));
  for (const secret of Object.values(JSON.parse(key))) if (secret !== "EC") expect(oauth.all).not.toContain(secret);
  const password = await publicProfile("image", "One", [file("image", "image/png")], undefined, { pds });
  expect(password.headers).toEqual(Array(2).fill(["Bearer ***", undefined]));
});

test("shows a video without the tokens for its service", async () => {
  const { paths, all } = await publicProfile("video", "Film", [file("video", "video/mp4")]);
  expect(paths.filter((path) => path.includes("app.bsky.video"))).toEqual([
    "GET app.bsky.video.getUploadLimits",
    "POST app.bsky.video.startUpload",
    "POST app.bsky.video.uploadPart",
    "POST app.bsky.video.finishUpload",
    "GET app.bsky.video.getJobStatus",
  ]);
  expect(all.match(/Bearer [^"*]+/g)).toBeNull();
});

test("shows a post with a quote and a gate as one call that creates both", async () => {
  const { run, requests } = dryRun(bluesky, account);
  const settings: BlueskySettings = {
    quote: "https://bsky.app/profile/bob.test/post/3kaaaaaaaaaaa",
    whoCanReply: ["NOBODY"],
  };
  await networkFormat(bluesky, settings, "text")?.publish(
    { content: "Quoting", media: [], settings, after: undefined },
    run,
  );
  const [resolve, read, write] = requests;
  expect(requests).toHaveLength(3);
  expect([resolve, read].map((one) => new URL(one?.url ?? "").pathname.split("/").at(-1))).toEqual([
    "com.atproto.identity.resolveHandle",
    "app.bsky.feed.getPosts",
  ]);
  expect(write).toMatchObject({ isFinal: true, url: expect.stringContaining("com.atproto.repo.applyWrites") });
  expect(JSON.parse(write?.body ?? "").writes).toMatchObject([
    { collection: "app.bsky.feed.post", value: { embed: { record: { cid: "{cid}" } } } },
    { collection: "app.bsky.feed.threadgate", value: { allow: [] } },
  ]);
});

test("shows a reply", async () => {
  const { paths, record } = await publicProfile("text", "Two", [], {
    id: "at://did:plc:alice/app.bsky.feed.post/3kaaaaaaaaaaa",
  });
  expect(paths[0]).toBe("GET com.atproto.repo.getRecord");
  expect(record.reply).toMatchObject({ root: { cid: "{cid}" }, parent: { cid: "{cid}" } });
});

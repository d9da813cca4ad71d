import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRewrap } from "../../media/recipe";
import { ffmpeg, hasFfmpeg } from "../../media/testing/films";
import { makeRealVideo, makeSource, type RealVideo, realVideos } from "../../media/testing/real-videos";
import { inspectInProcess } from "../../media/workshop/inspect";
import { rewrapVideo } from "../../media/workshop/rewrap-video";
import { allNetworks, type Network, networkFormats } from "../../networks";
import { requiredSettingsOf } from "../../testing/recipe";
import { videoRecipeFor } from "./conversion";
import type { KnownMedia } from "./facts";
import { formatProblems } from "./publication";

/** The length and the number of bytes have their own tests, so these files can be small. */
const USUAL = { sizeBytes: 1_000_000, durationSeconds: 10, width: 540, height: 960 };
const POST = { content: "Ding", attachmentPaths: ["u/a.mp4"] };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-real-"));
  if (hasFfmpeg) await makeSource(join(folder, "source.mp4"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Facebook documents the most about reels. */
function settingsFor(network: Network): unknown {
  const isFacebook = network.platform === "FACEBOOK";
  return network.settings.parse({
    ...requiredSettingsOf(network),
    ...(isFacebook ? { publicationType: "REELS" } : {}),
  });
}

function problemsOf(network: Network, item: KnownMedia) {
  const found = formatProblems(network, settingsFor(network), POST, [item]);
  return found.filter(({ at }) => at.startsWith("attachmentPaths"));
}

function rulesOf(item: KnownMedia): RealVideo["rules"] {
  const rules: RealVideo["rules"] = {};
  for (const network of allNetworks()) {
    for (const { rule } of problemsOf(network, item)) rules[rule] = [...(rules[rule] ?? []), network.platform];
  }
  return rules;
}

const inOrder = (rules: RealVideo["rules"]) =>
  Object.fromEntries(Object.entries(rules).map(([rule, platforms]) => [rule, platforms.toSorted()]));

/** The digest of all decoded pictures, without their times. */
async function picturesOf(path: string): Promise<string> {
  return ffmpeg(["-i", path, "-map", "0:v", "-vsync", "passthrough", "-f", "md5", "-"]);
}

test("there are at least forty files", () => {
  expect(realVideos.length).toBeGreaterThanOrEqual(40);
});

describe.skipIf(!hasFfmpeg)("a video from ffmpeg", () => {
  test.each(realVideos.map((video) => [video.what, video] as const))("%s", async (_, video) => {
    const path = join(folder, `video.${video.extension}`);
    await makeRealVideo(video, join(folder, "source.mp4"), path);
    const seen = await inspectInProcess(path);
    expect(seen.contentType).toBe(video.type);
    expect(seen.details).toMatchObject(video.details);
    expect(seen.details.editList).toBe(video.details.editList);
    const item: KnownMedia = { contentType: seen.contentType, details: seen.details, ...USUAL };
    expect(inOrder(rulesOf(item))).toEqual(inOrder(video.rules));

    // Each network that gets a rewrapped video has no objection to it any more.
    const rewrapping = allNetworks().filter(({ platform }) => video.rules["video.rewrapped"]?.includes(platform));
    const [first] = rewrapping;
    if (!first) return;
    const recipe = videoRecipeFor(networkFormats(first, settingsFor(first)), POST.attachmentPaths, item);
    if (!recipe || !isRewrap(recipe)) throw new Error("the video is not rewrapped");
    const to = join(folder, "rewrapped.mp4");
    await rewrapVideo({ path, to, recipe: { ...recipe, width: seen.width ?? 0, height: seen.height ?? 0 } });
    const made = await inspectInProcess(to);
    const { editList: __, index: ___, videoBitRate: ____, frameRate: _____, ...kept } = seen.details;
    expect(made).toMatchObject({ contentType: "video/mp4", width: seen.width, height: seen.height });
    expect(made.details).toEqual({
      ...kept,
      index: "front",
      frameRate: expect.any(Number),
      videoBitRate: expect.any(Number),
    });
    expect(Math.abs((made.durationSeconds ?? 0) - (seen.durationSeconds ?? 0))).toBeLessThan(0.1);
    for (const network of rewrapping) {
      const sent = { contentType: made.contentType, details: made.details, ...USUAL };
      expect(problemsOf(network, sent).map(({ rule }) => rule)).toEqual([]);
    }
    await rm(path);
    await rm(to);
  });

  test("keeps its pictures when it is rewrapped", async () => {
    const source = join(folder, "source.mp4");
    const to = join(folder, "same.mp4");
    await rewrapVideo({
      path: source,
      to,
      recipe: { contentType: "video/mp4", width: 540, height: 960, rewrap: true },
    });
    expect(await picturesOf(to)).toBe(await picturesOf(source));
  });
});

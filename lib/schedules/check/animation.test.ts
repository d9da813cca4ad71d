import { describe, expect, test } from "vitest";
import { allNetworks, networkFormats, networkOf } from "../../networks";
import { requiredSettingsOf } from "../../testing/recipe";
import { asVideos, videoRecipeFor } from "./conversion";
import type { KnownMedia } from "./facts";
import { formatProblems } from "./publication";

const gif = (facts: Partial<KnownMedia> = {}): KnownMedia => ({
  contentType: "image/gif",
  sizeBytes: 1_000_000,
  width: 801,
  height: 600,
  durationSeconds: 1.2,
  details: { frames: 12 },
  ...facts,
});
const film = { limits: { video: { types: ["video/mp4"] } } };
const recipe = (item: KnownMedia) => videoRecipeFor({ video: film }, [item], item);

describe("an animated image", () => {
  test.each<[what: string, item: KnownMedia, recipe: object | undefined]>([
    ["plays for three seconds at least, in even numbers of pixels", gif(), { width: 800, height: 600, rounds: 3 }],
    ["plays once where that takes longer", gif({ durationSeconds: 3.1 }), { width: 800, height: 600, rounds: 1 }],
    ["has 1280 pixels a side at most", gif({ width: 2560, height: 1280 }), { width: 1280, height: 640, rounds: 3 }],
    [
      "gets fewer pixels the longer it is",
      gif({ durationSeconds: 60, width: 1200, height: 1200 }),
      { width: 372, height: 372, rounds: 1 },
    ],
    [
      "gets fewer pixels the more frames it has",
      gif({ width: 1200, height: 1200, details: { frames: 300 } }),
      { width: 912, height: 912, rounds: 3 },
    ],
    ["stays an image where it is stored turned", gif({ details: { frames: 12, orientation: 6 } }), undefined],
    ["stays an image where it is longer than a minute", gif({ durationSeconds: 60.1 }), undefined],
    ["stays an image if its duration is unknown", gif({ durationSeconds: null }), undefined],
    ["stays an image where it does not move after all", gif({ details: { frames: 1 } }), undefined],
  ])("%s", (_, item, made) => {
    expect(recipe(item)).toEqual(made && { contentType: "video/mp4", ...made });
  });

  test("meets its network's limits for the length and size of a video", () => {
    const video = { types: ["video/mp4"], seconds: { min: 4 }, maxWidth: 400, shorterSide: { max: 200 } };
    const item = gif({ width: 800, height: 800 });
    const made = videoRecipeFor({ video: { limits: { video } } }, [item], item);
    expect(made).toEqual({ contentType: "video/mp4", width: 200, height: 200, rounds: 4 });
  });

  test("stays an image if the network animates it, and in a carousel that accepts no videos", () => {
    const animation = { types: ["image/gif"] };
    const image = { limits: { image: { types: ["image/gif"] }, animation } };
    const both = { image, video: film };
    expect(videoRecipeFor(both, [gif()], gif())).toBeUndefined();
    expect(videoRecipeFor(both, [gif()], gif({ contentType: "image/webp" }))).toBeDefined();
    const two = [gif(), gif()];
    expect(videoRecipeFor({ ...both, carousel: { limits: { image: animation } } }, two, gif())).toBeUndefined();
    expect(videoRecipeFor({ ...both, carousel: film }, two, gif())).toMatchObject({ contentType: "video/mp4" });
  });
});

/** X, LinkedIn and Telegram show animated GIFs as they are; the other networks show a still image or reject it. */
const AS_IT_IS = ["X_TWITTER", "LINKEDIN", "TELEGRAM"];

test.each(allNetworks().map(({ name, platform }) => [name, platform] as const))(
  "%s gets a video if it would not animate a GIF, with a warning",
  (name, platform) => {
    const network = networkOf(platform);
    const settings = network.settings.parse(requiredSettingsOf(network));
    const item = gif({ width: 640, height: 640 });
    const post = { content: "Ding", attachmentPaths: ["u/a.gif"] };
    const found = formatProblems(network, settings, post, [item]).filter(({ at }) => at.startsWith("attachment"));
    const isFilm = !AS_IT_IS.includes(platform);
    expect(found.map(({ at, rule, severity }) => [at, rule, severity])).toEqual(
      isFilm ? [["attachmentPaths[0]", "image.filmed", "warning"]] : [],
    );
    const [sent] = asVideos(networkFormats(network, settings), [item]);
    const seconds = sent?.durationSeconds;
    if (isFilm) {
      expect(sent).toMatchObject({ contentType: "video/mp4", details: { videoCodec: "avc", index: "front" } });
      expect(found[0]?.message).toBe(
        `${name} would not animate this image (GIF, 640 x 640 pixels, 1.0 MB): it is sent as an MP4 video of 640 x 640 pixels, ${seconds} seconds`,
      );
    } else expect(sent).toBe(item);
  },
);

describe("the network's limits for videos", () => {
  const sizeFor = (video: object, facts: Partial<KnownMedia>) => {
    const item = gif(facts);
    const made = videoRecipeFor({ video: { limits: { video: { types: ["video/mp4"], ...video } } } }, [item], item);
    return [made?.width, made?.height];
  };

  test("a long video is not made smaller than the minimum", () => {
    const long = { width: 1080, height: 1920, durationSeconds: 30, details: { frames: 300 } };
    expect(sizeFor({ side: { min: 540 } }, long)).toEqual([540, 960]);
    expect(sizeFor({ longerSide: { min: 960 } }, long)).toEqual([540, 960]);
    expect(sizeFor({}, long)).toEqual([394, 702]);
  });

  test.each([
    [301, 600, { min: 0.5, max: 1.91, isOpen: true }, [300, 598]],
    [475, 249, { min: 0.5, max: 1.91, isOpen: true }, [472, 248]],
    [962, 541, { min: 0.5562, max: 1.78 }, [960, 540]],
    [99, 297, { min: 1 / 3, max: 3 }, [98, 294]],
    [301, 700, { min: 0.5, max: 1.91 }, [300, 700]],
  ])("%d x %d stays within the ratio limits", (width, height, ratio, size) => {
    expect(sizeFor({ ratio }, { width, height })).toEqual(size);
  });

  test("an accepted image is not converted if the network would reject the video", () => {
    const video = { types: ["video/mp4"], side: { min: 540 }, longerSide: { min: 960 }, ratio: { min: 0.5, max: 2 } };
    const recipeIn = (types: string[], width: number, height: number) => {
      const item = gif({ width, height });
      return videoRecipeFor({ image: { limits: { image: { types } } }, video: { limits: { video } } }, [item], item);
    };
    for (const [width, height] of [
      [538, 960],
      [900, 900],
      [1200, 590],
    ] as const) {
      expect(recipeIn(["image/gif"], width, height)).toBeUndefined();
      expect(recipeIn(["image/jpeg"], width, height)).toMatchObject({ width, height });
    }
    expect(recipeIn(["image/gif"], 540, 960)).toMatchObject({ width: 540, height: 960 });
  });

  test("the size of the video is unknown and not guessed from the image", () => {
    const limits = { video: { limits: { video: { types: ["video/mp4"], minBytes: 2_000_000 } } } };
    expect(asVideos(limits, [gif()])).toEqual([expect.objectContaining({ sizeBytes: undefined })]);
  });
});

/** The networks with alt texts for videos. */
const DESCRIBED = ["BLUE_SKY", "THREADS", "PINTEREST"];

test.each(allNetworks().map(({ name, platform }) => [name, platform] as const))(
  "a video that %s gets without the alt text of its image has a warning",
  (name, platform) => {
    const network = networkOf(platform);
    const settings = network.settings.parse(requiredSettingsOf(network));
    const post = { content: "Ding", attachmentPaths: ["u/a.gif"] };
    const saidOf = (altText: string | null) =>
      formatProblems(network, settings, post, [gif({ width: 640, height: 640, altText })]).filter(
        ({ rule }) => rule === "film.alt_text",
      );
    const isLost = !AS_IT_IS.includes(platform) && !DESCRIBED.includes(platform);
    const message = `${name} takes no alt text of videos: this image's is not sent`;
    const at = "attachmentPaths[0]";
    expect(saidOf("A bell")).toEqual(isLost ? [{ at, message, rule: "film.alt_text", severity: "warning" }] : []);
    expect(saidOf(null)).toEqual([]);
  },
);

test("the alt text of each of several images is checked", () => {
  const network = networkOf("INSTAGRAM");
  const settings = network.settings.parse({});
  const post = { content: "Ding", attachmentPaths: ["u/a.gif", "u/b.gif", "u/c.jpg"] };
  const still = gif({ contentType: "image/jpeg", durationSeconds: null, details: {}, altText: "A bell" });
  const media = [gif(), gif({ altText: "A bell" }), still].map((item) => ({ ...item, width: 640, height: 640 }));
  const found = formatProblems(network, settings, post, media).filter(({ rule }) => rule === "film.alt_text");
  expect(found.map(({ at }) => at)).toEqual(["attachmentPaths[1]"]);
});

test("the problems of a converted video are reported for the video", () => {
  const network = networkOf("FACEBOOK");
  const settings = network.settings.parse({ publicationType: "REELS" });
  const post = { content: "Ding", attachmentPaths: ["u/a.gif"] };
  const found = formatProblems(network, settings, post, [gif({ width: 320, height: 180 })]);
  expect(found.map(({ rule }) => rule)).toEqual(["video.side", "video.side", "video.upright", "image.filmed"]);
});

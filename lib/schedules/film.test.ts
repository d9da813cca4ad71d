import { describe, expect, test } from "vitest";
import { allNetworks, formatsOf, networkOf } from "../networks";
import { settingsOf } from "../testing/recipe";
import { formatBreaches } from "./check";
import type { KnownMedia } from "./facts";
import { asFilms, filmRecipeFor } from "./film";

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
const recipe = (item: KnownMedia) => filmRecipeFor({ video: film }, [item], item);

describe("an image that moves", () => {
  test.each<[what: string, item: KnownMedia, recipe: object | undefined]>([
    ["plays for three seconds at least, in even numbers of pixels", gif(), { width: 800, height: 600, rounds: 3 }],
    ["plays once where that takes longer", gif({ durationSeconds: 3.1 }), { width: 800, height: 600, rounds: 1 }],
    ["has 1280 pixels a side at most", gif({ width: 2560, height: 1280 }), { width: 1280, height: 640, rounds: 3 }],
    [
      "has the fewer pixels the longer it is",
      gif({ durationSeconds: 60, width: 1200, height: 1200 }),
      { width: 470, height: 470, rounds: 1 },
    ],
    ["stays an image where it is longer than a minute", gif({ durationSeconds: 60.1 }), undefined],
    ["stays an image where nobody looked how long it plays", gif({ durationSeconds: null }), undefined],
    ["stays an image where it does not move after all", gif({ details: { frames: 1 } }), undefined],
  ])("%s", (_, item, made) => {
    expect(recipe(item)).toEqual(made && { contentType: "video/mp4", ...made });
  });

  test("plays as long and is as small as its network asks of a film", () => {
    const video = { types: ["video/mp4"], seconds: { min: 4 }, maxWidth: 400, shorterSide: { max: 200 } };
    const item = gif({ width: 800, height: 800 });
    const made = filmRecipeFor({ video: { limits: { video } } }, [item], item);
    expect(made).toEqual({ contentType: "video/mp4", width: 200, height: 200, rounds: 4 });
  });

  test("is an image where it moves as one, and among others where films are not taken", () => {
    const animation = { types: ["image/gif"] };
    const image = { limits: { image: { types: ["image/gif"] }, animation } };
    const both = { image, video: film };
    expect(filmRecipeFor(both, [gif()], gif())).toBeUndefined();
    expect(filmRecipeFor(both, [gif()], gif({ contentType: "image/webp" }))).toBeDefined();
    const two = [gif(), gif()];
    expect(filmRecipeFor({ ...both, carousel: { limits: { image: animation } } }, two, gif())).toBeUndefined();
    expect(filmRecipeFor({ ...both, carousel: film }, two, gif())).toMatchObject({ contentType: "video/mp4" });
  });
});

/** Where an animated GIF moves as it is: X, LinkedIn and Telegram (their sheets); the others would show it still, or refuse it. */
const AS_IT_IS = ["X_TWITTER", "LINKEDIN", "TELEGRAM"];

test.each(allNetworks().map(({ name, platform }) => [name, platform] as const))(
  "%s is sent a film where it would not show a GIF moving, and says so beforehand",
  (name, platform) => {
    const network = networkOf(platform);
    const settings = network.settings.parse(settingsOf(network));
    const item = gif({ width: 640, height: 640 });
    const post = { content: "Ding", attachmentPaths: ["u/a.gif"] };
    const found = formatBreaches(network, settings, post, [item]).filter(({ at }) => at.startsWith("attachment"));
    const isFilm = !AS_IT_IS.includes(platform);
    expect(found.map(({ at, rule, severity }) => [at, rule, severity])).toEqual(
      isFilm ? [["attachmentPaths[0]", "image.filmed", "warning"]] : [],
    );
    const [sent] = asFilms(formatsOf(network, settings), [item]);
    const seconds = sent?.durationSeconds;
    if (isFilm) {
      expect(sent).toMatchObject({ contentType: "video/mp4", details: { videoCodec: "avc" } });
      expect(found[0]?.message).toBe(
        `${name} would not show this image moving (GIF, 640 x 640 pixels, 1.0 MB): it is sent as an MP4 video of 640 x 640 pixels, ${seconds} seconds`,
      );
    } else expect(sent).toBe(item);
  },
);

test("what a film breaks is said of the film", () => {
  const network = networkOf("FACEBOOK");
  const settings = network.settings.parse({ publicationType: "REELS" });
  const post = { content: "Ding", attachmentPaths: ["u/a.gif"] };
  const found = formatBreaches(network, settings, post, [gif({ width: 320, height: 180 })]);
  expect(found.map(({ rule }) => rule)).toEqual(["video.side", "video.side", "image.filmed"]);
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { colourAt, hasFfmpeg } from "../testing/films";
import { gifOf } from "../testing/pictures";
import { inspectInProcess } from "./inspect";
import { frameDurationsMs } from "./inspect-image";
import { makeFilm } from "./make-film";

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-film-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function filmOf(gif: Buffer, size: { width: number; height: number }, rounds = 1) {
  const [path, to] = [join(folder, `${count}.gif`), join(folder, `${count++}.mp4`)];
  await writeFile(path, gif);
  const made = await makeFilm({ path, to, recipe: { contentType: "video/mp4", ...size, rounds } });
  expect(made).toEqual({ contentType: "video/mp4", ...size, sizeBytes: (await readFile(to)).length });
  return { from: await inspectInProcess(path), film: await inspectInProcess(to), to };
}

const [RED, GREEN, BLUE, WHITE] = ["#c00000", "#00a000", "#0000c0", "#ffffff"];
const nameOf = (colour: number[]) => {
  const near = ([hex]: readonly [string, string]) =>
    colour.every((value, at) => Math.abs(value - Number.parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16)) < 24);
  const named = [[RED, "red"] as const, [GREEN, "green"] as const, [BLUE, "blue"] as const, [WHITE, "white"] as const];
  return named.find(near)?.[1] ?? `rgb(${colour})`;
};

describe("a film of an animation", () => {
  const size = { width: 64, height: 48 };
  const gif = () =>
    gifOf(64, [[RED, 100], [GREEN, 500], ["transparent", 200]], 48); // biome-ignore format: easier to compare in one line

  test("repeats at a constant rate that shows every frame for its duration", async () => {
    const { from, film } = await filmOf(await gif(), size, 2);
    expect(from).toMatchObject({ durationSeconds: 0.8, details: { frames: 3 } });
    expect(film).toMatchObject({ contentType: "video/mp4", ...size, durationSeconds: 1.6 });
    expect(film.details).toMatchObject({ frameRate: 30, videoCodec: "avc", hasAudio: false, index: "front" });
    expect(film.details).not.toHaveProperty("editList");
  });

  test.skipIf(!hasFfmpeg)("shows each frame in its time, with white for transparency", async () => {
    const { to } = await filmOf(await gif(), size, 2);
    const shown = [];
    for (const at of [0, 2, 3, 17, 18, 23, 24, 26, 27, 47]) shown.push(nameOf(await colourAt(to, at)));
    expect(shown).toEqual(["red", "red", "green", "green", "white", "white", "red", "red", "green", "white"]);
  });

  test.skipIf(!hasFfmpeg)("is complete if its frames are decoded in several passes in another size", async () => {
    // Thirty frames of 3.7 MB when decoded, which is more than are held at a time.
    const colours = Array.from({ length: 30 }, (_, n): [string, number] => [n % 7 === 5 ? BLUE : GREEN, 40]);
    const { film, to } = await filmOf(await gifOf(320, colours, 180), { width: 1280, height: 720 });
    expect(film).toMatchObject({ durationSeconds: 1.2, details: { frameRate: 25 } });
    const shown = [];
    for (const at of [0, 5, 6, 25, 26, 27, 29]) shown.push(nameOf(await colourAt(to, at)));
    expect(shown).toEqual(["green", "blue", "green", "green", "blue", "green", "green"]);
  });

  test("has its index at the beginning, as networks require", async () => {
    const { to } = await filmOf(await gif(), size);
    const bytes = await readFile(to);
    const [index, pictures] = [bytes.indexOf("moov"), bytes.indexOf("mdat")];
    expect(index).toBeGreaterThan(0);
    expect(index).toBeLessThan(pictures);
  });

  test("skips no frame if no rate is exact", async () => {
    const { film } = await filmOf(await gifOf(32, [[RED, 20], [GREEN, 70], [BLUE, 30]]), { width: 32, height: 32 }, 25); // biome-ignore format: easier to compare in one line
    expect(film).toMatchObject({ durationSeconds: 3, details: { frameRate: 50 } });
  });
});

test("a frame without a duration is shown as long as in a browser", () => {
  expect(frameDurationsMs({ pages: 4, delay: [0, 10, 20, 130] })).toEqual([100, 100, 20, 130]);
  expect(frameDurationsMs({ pages: 2 })).toEqual([100, 100]);
});

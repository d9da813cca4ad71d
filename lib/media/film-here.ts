import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import sharp from "sharp";
import { standsMs } from "./play";
import type { Conversion, FilmRecipe } from "./recipe";
import { UnusableFile } from "./unusable";

/** Pictures a second that networks which name them take. */
const RATES = { min: 24, max: 60 };
/** Where no rate shows each picture for exactly as long as it stands; the least that leaves none out. */
const NEAREST_RATE = 50;
/** Of H.264, from 10 to 51: small enough that nobody sees it. */
const QUANTISATION = 24;
/** The fastest of the encoder's ways; the others take two to four times as long for the same bytes. */
const FASTEST = 10;
/** Pictures from one that stands by itself to the next. */
const GROUP = 60;
/** Of pictures decoded at a time; to reach a later one all before it are decoded once more. */
const CHUNK_BYTES = 96 * 1024 * 1024;
const SECONDS = 20;
const MAX_PIXELS = 1_000_000_000;

/**
 * Makes a film of an image that moves: H.264 (Baseline) in MP4 at a steady rate without sound, its index in front as Instagram
 * asks for; what is transparent becomes white.
 * @throws UnusableFile where no film can be made
 */
export async function makeFilm(given: { path: string; recipe: FilmRecipe; to: string }): Promise<Conversion> {
  const { path, recipe, to } = given;
  const header = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata();
  const stands = standsMs(header);
  const rate = rateFor(stands);
  const encoder = await newEncoder(recipe, rate);
  try {
    let [shown, endMs] = [0, 0];
    for (let round = 0; round < recipe.rounds; round += 1) {
      for await (const { picture, index } of picturesOf(path, recipe, stands.length)) {
        endMs += stands[index] ?? 0;
        for (const end = Math.round((endMs * rate) / 1000); shown < end; shown += 1) encoder.addFrameRgba(picture);
      }
    }
    encoder.finalize();
    await writeFile(to, await indexInFront(encoder.FS.readFile(encoder.outputFilename)), { mode: 0o600, flag: "wx" });
  } finally {
    encoder.delete();
  }
  const { contentType, width, height } = recipe;
  return { contentType, width, height, sizeBytes: (await readFile(to)).length };
}

/** The lowest rate at which each picture stands as long as it should. */
function rateFor(stands: number[]): number {
  for (let rate = RATES.min; rate <= RATES.max; rate += 1) {
    if (stands.every((ms) => (ms * rate) % 1000 === 0)) return rate;
  }
  return NEAREST_RATE;
}

async function newEncoder({ width, height }: FilmRecipe, rate: number) {
  // A megabyte, and not for images; CommonJS whose names `import` does not find.
  const { createH264MP4Encoder }: typeof import("h264-mp4-encoder") = createRequire(import.meta.url)(
    "h264-mp4-encoder",
  );
  const encoder = await createH264MP4Encoder();
  Object.assign(encoder, { width, height, frameRate: rate, groupOfPictures: GROUP });
  Object.assign(encoder, { quantizationParameter: QUANTISATION, speed: FASTEST });
  encoder.initialize();
  return encoder;
}

/** The pictures as they are shown, one after the other, in the film's size. */
async function* picturesOf(path: string, { width, height }: FilmRecipe, count: number) {
  const bytes = width * height * 4;
  const atOnce = Math.max(1, Math.floor(CHUNK_BYTES / bytes));
  for (let first = 0; first < count; first += atOnce) {
    const pages = Math.min(atOnce, count - first);
    const chunk = await sharp(path, { page: first, pages, limitInputPixels: MAX_PIXELS, sequentialRead: true })
      .timeout({ seconds: SECONDS })
      .resize(width, height, { fit: "fill" })
      .flatten({ background: "white" })
      .toColourspace("srgb")
      .ensureAlpha()
      .raw()
      .toBuffer();
    if (chunk.length !== bytes * pages) throw new UnusableFile("corrupt", "file has pictures that cannot be drawn");
    for (let n = 0; n < pages; n += 1) yield { picture: chunk.subarray(n * bytes, (n + 1) * bytes), index: first + n };
  }
}

/** The same film with what says where everything is in front of it, so that it can be played as it arrives. */
async function indexInFront(film: Uint8Array): Promise<Uint8Array> {
  const { BufferSource, BufferTarget, Conversion, Input, MP4, Mp4OutputFormat, Output } = await import("mediabunny");
  const input = new Input({ source: new BufferSource(film), formats: [MP4] });
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
  const rewrapped = await Conversion.init({ input, output });
  await rewrapped.execute();
  if (!target.buffer) throw new Error("the film was not written");
  return new Uint8Array(target.buffer);
}

import { open, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import sharp from "sharp";
import { UnusableFile } from "../file-errors";
import type { Conversion, FilmRecipe } from "../recipe";
import { frameDurationsMs } from "./inspect-image";

/** Frames per second that networks accept. */
const RATES = { min: 24, max: 60 };
/** Used if no rate shows each frame for exactly its duration. It is the lowest rate that skips no frame. */
const NEAREST_RATE = 50;
/** For H.264, from 10 to 51. This value has no visible loss. */
const QUANTISATION = 24;
/** The encoder's fastest preset. The others take two to four times as long for the same number of bytes. */
const FASTEST = 10;
/** Frames from one key frame to the next. */
const GROUP = 60;
/** The header size of libvips' own file format (libvips/iofuncs/vips.c, VIPS_SIZEOF_HEADER). */
const HEADER_BYTES = 64;
/** The largest animation takes twelve seconds on two idle cores. */
const SECONDS = 40;
const MAX_PIXELS = 1_000_000_000;

/**
 * Makes a film of an animation: H.264 (Baseline) in MP4 at a constant rate, without sound, with its index at the beginning
 * as Instagram requires. Transparent areas become white.
 * @throws UnusableFile if no film can be made
 */
export async function makeFilm(given: { path: string; recipe: FilmRecipe; to: string }): Promise<Conversion> {
  const { path, recipe, to } = given;
  const drawn = `${to}.v`;
  try {
    const durationsMs = await draw(path, recipe, drawn);
    await writeFile(to, await roundsOf(await oneRound(drawn, recipe, durationsMs), recipe.rounds), {
      mode: 0o600,
      flag: "wx",
    });
  } finally {
    await rm(drawn, { force: true });
  }
  const { contentType, width, height } = recipe;
  return { contentType, width, height, sizeBytes: (await stat(to)).size };
}

/**
 * Draws all frames in the film's size, one below the other. They go to disk because there are many, and in one pass because
 * each frame needs the previous ones.
 * @returns the duration of each frame, in milliseconds
 */
async function draw(path: string, { width, height }: FilmRecipe, to: string): Promise<number[]> {
  const header = await sharp(path, { limitInputPixels: MAX_PIXELS }).metadata();
  const durationsMs = frameDurationsMs(header);
  const { height: rows } = await sharp(path, {
    pages: durationsMs.length,
    limitInputPixels: MAX_PIXELS,
    sequentialRead: true,
  })
    .timeout({ seconds: SECONDS })
    .resize(width, height, { fit: "fill" })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .removeAlpha()
    .toFile(to);
  if (rows !== height * durationsMs.length) throw new UnusableFile("corrupt", "file has frames that cannot be drawn");
  return durationsMs;
}

/** Encodes a film that plays once. */
async function oneRound(drawn: string, recipe: FilmRecipe, durationsMs: number[]): Promise<Uint8Array> {
  const rate = rateFor(durationsMs);
  const encoder = await newEncoder(recipe, rate);
  try {
    let [shown, endMs] = [0, 0];
    for await (const { picture, index } of picturesIn(drawn, recipe, durationsMs.length)) {
      endMs += durationsMs[index] ?? 0;
      const exact = (endMs * rate) / 1000;
      const end = index === durationsMs.length - 1 ? Math.ceil(exact) : Math.round(exact); // never shorter than announced
      for (; shown < end; shown += 1) encoder.addFrameRgba(picture);
    }
    encoder.finalize();
    return encoder.FS.readFile(encoder.outputFilename);
  } finally {
    encoder.delete();
  }
}

/** Returns the lowest rate that shows each frame for exactly its duration. */
function rateFor(durationsMs: number[]): number {
  for (let rate = RATES.min; rate <= RATES.max; rate += 1) {
    if (durationsMs.every((ms) => (ms * rate) % 1000 === 0)) return rate;
  }
  return NEAREST_RATE;
}

async function newEncoder({ width, height }: FilmRecipe, rate: number) {
  // A megabyte, and not needed for images. It is CommonJS whose named exports `import` cannot find.
  const { createH264MP4Encoder }: typeof import("h264-mp4-encoder") = createRequire(import.meta.url)(
    "h264-mp4-encoder",
  );
  const encoder = await createH264MP4Encoder();
  Object.assign(encoder, { width, height, frameRate: rate, groupOfPictures: GROUP });
  Object.assign(encoder, { quantizationParameter: QUANTISATION, speed: FASTEST });
  encoder.initialize();
  return encoder;
}

/** Yields the frames in the encoder's format: red, green, blue, and one ignored byte. */
async function* picturesIn(drawn: string, { width, height }: FilmRecipe, count: number) {
  const file = await open(drawn);
  try {
    const bytes = Buffer.alloc(width * height * 3);
    const picture = new Uint8Array(width * height * 4);
    for (let index = 0; index < count; index += 1) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, HEADER_BYTES + index * bytes.length);
      if (bytesRead !== bytes.length) throw new Error(`frame ${index} was not drawn completely`);
      for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
        picture[to] = bytes[from] ?? 0;
        picture[to + 1] = bytes[from + 1] ?? 0;
        picture[to + 2] = bytes[from + 2] ?? 0;
      }
      yield { picture, index };
    }
  } finally {
    await file.close();
  }
}

/** Repeats the film and puts its index at the beginning, so that it can be played while it loads. */
async function roundsOf(film: Uint8Array, rounds: number): Promise<Uint8Array> {
  const {
    BufferSource,
    BufferTarget,
    EncodedPacketSink,
    EncodedVideoPacketSource,
    Input,
    MP4,
    Mp4OutputFormat,
    Output,
  } = await import("mediabunny");
  const input = new Input({ source: new BufferSource(film), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track?.codec || !decoderConfig) throw new Error("the film has no frames");
  const seconds = await track.computeDuration();
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
  const source = new EncodedVideoPacketSource(track.codec);
  output.addVideoTrack(source);
  await output.start();
  for (let round = 0; round < rounds; round += 1) {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet.clone({ timestamp: packet.timestamp + round * seconds }), { decoderConfig });
    }
  }
  await output.finalize();
  if (!target.buffer) throw new Error("the film was not written");
  return new Uint8Array(target.buffer);
}

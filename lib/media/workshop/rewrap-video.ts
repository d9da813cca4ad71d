import { stat } from "node:fs/promises";
import type { EncodedPacket, InputAudioTrack, InputVideoTrack, Output } from "mediabunny";
import { UnusableFile } from "../file-errors";
import type { Conversion, RewrapRecipe } from "../recipe";
import { inspectInProcess } from "./inspect";

/** How much is collected before it is written to the new file. */
const CHUNK_BYTES = 1_048_576;

/**
 * Copies the pictures and the sound of a video into an MP4 without decoding them. The index comes first, and there are no edit
 * lists: what they hid before the start of the sound (an encoder's delay) is left out, and the first packet of a track that
 * starts later is shown from the start. Rotation and colours are kept. Other tracks, such as places and subtitles, are left out.
 * The packets go from disk to disk, so the memory does not depend on the size of the file.
 * @throws UnusableFile if the pictures or the sound cannot be copied, or if an edit list hides a part of the film
 */
export async function rewrapVideo(given: { path: string; recipe: RewrapRecipe; to: string }): Promise<Conversion> {
  const { path, recipe, to } = given;
  // The workshop looks again, because files uploaded by an older version have no recorded edit lists.
  const { details } = await inspectInProcess(path);
  if (details.editList === "cut") throw new UnusableFile("corrupt", "an edit list hides a part of this video");
  const { FilePathSource, FilePathTarget, Input, MATROSKA, MP4, Mp4OutputFormat, Output, QTFF, WEBM } = await import(
    "mediabunny"
  );
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM, MATROSKA] });
  const format = new Mp4OutputFormat({ fastStart: "reserve" });
  const output = new Output({ format, target: new FilePathTarget(to, { chunkSize: CHUNK_BYTES }) });
  try {
    const video = await input.getPrimaryVideoTrack();
    if (!video) throw new UnusableFile("corrupt", "file has no pictures");
    const audio = await input.getPrimaryAudioTrack();
    const writers = [await addVideo(output, video), ...(audio ? [await addAudio(output, audio)] : [])];
    await output.start();
    await copyInOrder(writers);
    await output.finalize();
  } catch (error) {
    if (error instanceof UnusableFile || (error instanceof Error && "code" in error)) throw error; // or the disk is full
    throw new UnusableFile("corrupt", `file has tracks that cannot be copied: ${error}`);
  } finally {
    input.dispose();
    if (output.state === "started") await output.cancel();
  }
  const { contentType, width, height } = recipe;
  return { contentType, width, height, sizeBytes: (await stat(to)).size };
}

/** One track: its packets in the order of the file, from the start of the film on, and where to write them. */
type Copied = { packets: AsyncGenerator<EncodedPacket>; write(packet: EncodedPacket): Promise<void>; close(): void };

async function addVideo(output: Output, track: InputVideoTrack): Promise<Copied> {
  const { EncodedVideoPacketSource } = await import("mediabunny");
  const [codec, decoderConfig] = [track.codec, await track.getDecoderConfig()];
  if (!codec || !decoderConfig) throw new UnusableFile("unsupported", "the codec of the pictures is unknown");
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, {
    transformationMatrix: await track.getTransformationMatrix(),
    maximumPacketCount: (await track.computePacketStats()).packetCount,
  });
  return {
    packets: fromStart(track),
    write: (packet) => source.add(packet, { decoderConfig }),
    close: () => source.close(),
  };
}

async function addAudio(output: Output, track: InputAudioTrack): Promise<Copied> {
  const { EncodedAudioPacketSource } = await import("mediabunny");
  const [codec, decoderConfig] = [track.codec, await track.getDecoderConfig()];
  if (!codec || !decoderConfig) throw new UnusableFile("unsupported", "the codec of the sound is unknown");
  const source = new EncodedAudioPacketSource(codec);
  const maximumPacketCount = (await track.computePacketStats()).packetCount;
  output.addAudioTrack(source, { languageCode: await track.getLanguageCode(), maximumPacketCount });
  return {
    packets: fromStart(track),
    write: (packet) => source.add(packet, { decoderConfig }),
    close: () => source.close(),
  };
}

/** Yields the packets that are shown, and moves the first one to the start of the film. */
async function* fromStart(track: InputVideoTrack | InputAudioTrack): AsyncGenerator<EncodedPacket> {
  const { EncodedPacketSink } = await import("mediabunny");
  let isFirst = true;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    if (packet.timestamp + packet.duration <= 0) continue;
    yield isFirst ? packet.clone({ timestamp: 0, duration: packet.timestamp + packet.duration }) : packet;
    isFirst = false;
  }
}

/** Writes the packets of all tracks by their times, so that a player finds pictures and sound of the same moment together. */
async function copyInOrder(tracks: Copied[]): Promise<void> {
  const open = await Promise.all(
    tracks.map(async (track) => ({ ...track, next: (await track.packets.next()).value as EncodedPacket | undefined })),
  );
  while (open.length > 0) {
    const [first] = open.toSorted((one, other) => (one.next?.timestamp ?? 0) - (other.next?.timestamp ?? 0));
    if (!first) return;
    if (first.next) await first.write(first.next);
    const { value, done } = await first.packets.next();
    first.next = done ? undefined : value;
    if (!done) continue;
    first.close();
    open.splice(open.indexOf(first), 1);
  }
}

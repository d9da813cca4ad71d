import type { Input, InputTrack, InputVideoTrack } from "mediabunny";
import type { MediaDetails } from "../../db";
import { corruptFile, UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";
import { readBoxes } from "./boxes";
import { type CodecFacts, codecFacts } from "./codec-facts";
import { elementsProblem } from "./elements";
import type { Layout } from "./layout";

const MAX_SIDE = 16_384;
const MAX_TRACKS = 100;
/** Two hours with 30 frames and 50 packets of sound per second. */
const MAX_PACKETS = 600_000;
/** Containers round times to 1/1000 or 1/600 of a second, so durations that differ less are the same. */
const SAME_SECONDS = 0.0025;
/** A rate is fixed if at most this share of its pictures has another duration. */
const MOST_OTHERS = 0.05;
/** Pictures before the start of the film are hidden by its edit list. */
const HIDDEN_SECONDS = -0.001;

/**
 * Opens a video's container and reads every packet of every track. Opening it without an error proves nothing, because
 * truncated files open too.
 * @throws UnusableFile
 */
export async function inspectVideo(path: string, type: string): Promise<InspectedFile> {
  const layout = await layoutOf(path, type);
  const { FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } = await import("mediabunny"); // large, and not needed for images
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM, MATROSKA] });
  try {
    return { contentType: type, ...(await factsOf(input)) };
  } catch (error) {
    throw error instanceof UnusableFile ? error : corruptFile(type, "the container cannot be read");
  } finally {
    input.dispose();
  }

  async function factsOf(input: Input): Promise<Omit<InspectedFile, "contentType">> {
    const video = await input.getPrimaryVideoTrack();
    if (!video) throw corruptFile(type, "it has no video track");
    const seconds = await input.computeDuration();
    if (!(seconds > 0)) throw corruptFile(type, "it has no duration");
    const [width, height] = [video.displayWidth, video.displayHeight];
    if (!(width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE)) {
      throw corruptFile(type, `its size of ${width} x ${height} pixels is not allowed`);
    }
    const { frameRate, isVariableRate, videoBitRate, startsAt } = await readTracks(input, video, type);
    return {
      width,
      height,
      durationSeconds: Math.max(0.001, Math.round(seconds * 1000) / 1000),
      details: {
        frameRate: Math.round(frameRate * 1000) / 1000,
        ...(isVariableRate ? { isVariableRate } : {}),
        ...(await codecName("videoCodec", video)),
        ...(await pictureFacts(video)),
        ...(await pixelFacts(video)),
        videoBitRate,
        ...(await soundFacts(input)),
        ...layout,
        ...(layout?.editList && startsAt < HIDDEN_SECONDS ? { editList: "cut" } : {}),
      },
    };
  }
}

/** Returns where an MP4 or MOV has its index. @throws UnusableFile if the outer structure of the file is damaged */
async function layoutOf(path: string, type: string): Promise<Layout | undefined> {
  const hasBoxes = type === "video/mp4" || type === "video/quicktime";
  const problem = hasBoxes ? undefined : await elementsProblem(path);
  const found = hasBoxes ? await readBoxes(path) : undefined;
  if (found && "problem" in found) throw corruptFile(type, found.problem);
  if (problem) throw corruptFile(type, problem);
  return found;
}

/** A codec without a common name has the name that the container uses, such as `mp4v` or `V_MPEG4/ISO/ASP`. */
async function codecName(field: "videoCodec" | "audioCodec", track: InputTrack): Promise<MediaDetails> {
  const own = track.codec ?? (await track.getInternalCodecId());
  return typeof own === "string" ? { [field]: own } : {};
}

async function pictureFacts(video: InputVideoTrack): Promise<CodecFacts> {
  const config = await video.getDecoderConfig();
  const { description } = config ?? {};
  return codecFacts(video.codec, config?.codec ?? "", description instanceof Uint8Array ? description : undefined);
}

/** The library rounds sides to whole pixels, so the ratio is rounded too. */
async function pixelFacts(video: InputVideoTrack): Promise<MediaDetails> {
  const { num, den } = await video.getPixelAspectRatio();
  const pixelAspect = Math.round((num / den) * 100) / 100;
  return pixelAspect === 1 ? {} : { pixelAspect };
}

async function soundFacts(input: Input): Promise<MediaDetails> {
  const audio = await input.getPrimaryAudioTrack();
  if (!audio) return { hasAudio: false };
  const { numberOfChannels: audioChannels, sampleRate: audioSampleRate } = audio;
  return { ...(await codecName("audioCodec", audio)), hasAudio: true, audioChannels, audioSampleRate };
}

type Read = {
  frameRate: number;
  isVariableRate: boolean;
  videoBitRate: number;
  /** When the first picture is shown, in seconds from the start of the film. */
  startsAt: number;
};

/**
 * Checks that every packet that the tracks declare is there, with its bytes. The packets are counted first, because a few
 * bytes can declare billions of them.
 * @returns what the packets of the given track say
 */
async function readTracks(input: Input, rated: InputTrack, type: string): Promise<Read> {
  const { EncodedPacketSink } = await import("mediabunny");
  const tracks = await input.getTracks();
  if (tracks.length > MAX_TRACKS) throw corruptFile(type, `it has ${tracks.length} tracks, at most ${MAX_TRACKS}`);
  let left = MAX_PACKETS;
  let result: Read | undefined;
  for (const track of tracks) {
    const { packetCount, averagePacketRate, averageBitrate } = await track.computePacketStats(left + 1);
    left -= packetCount;
    if (left < 0) throw corruptFile(type, `it has more than ${MAX_PACKETS.toLocaleString("en")} packets`);
    const times: number[] = [];
    let read = 0;
    for await (const packet of new EncodedPacketSink(track).packets()) {
      if (packet.data.byteLength > 0) read += 1;
      if (track.id === rated.id) times.push(packet.timestamp);
    }
    if (read < packetCount) throw corruptFile(type, `a track has only ${read} of ${packetCount} packets`);
    if (track.id !== rated.id) continue;
    result = { frameRate: averagePacketRate, videoBitRate: Math.round(averageBitrate), ...timing(times) };
  }
  if (!result) throw corruptFile(type, "it has no video track");
  return result;
}

/**
 * A rate is variable if several pictures are shown for another time than most. A single one may be, because writers
 * without edit lists show the first picture for longer.
 */
function timing(times: number[]): Pick<Read, "isVariableRate" | "startsAt"> {
  const shown = Float64Array.from(times).sort();
  const gaps = shown.subarray(1).map((time, at) => time - (shown[at] ?? 0));
  const middle = gaps.slice().sort()[gaps.length >> 1] ?? 0;
  const others = gaps.filter((gap) => Math.abs(gap - middle) > SAME_SECONDS).length;
  return { isVariableRate: others > Math.max(1, gaps.length * MOST_OTHERS), startsAt: shown[0] ?? 0 };
}

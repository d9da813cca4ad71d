import type { Input, InputTrack } from "mediabunny";
import { corruptFile, UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";
import { boxesProblem } from "./boxes";
import { elementsProblem } from "./elements";

const MAX_SIDE = 16_384;
const MAX_TRACKS = 100;
/** Two hours with 30 frames and 50 packets of sound per second. */
const MAX_PACKETS = 600_000;

/**
 * Opens a video's container and reads every packet of every track. Opening it without an error proves nothing, because
 * truncated files open too.
 * @throws UnusableFile
 */
export async function inspectVideo(path: string, type: string): Promise<InspectedFile> {
  const boxes = type === "video/mp4" || type === "video/quicktime";
  const problem = await (boxes ? boxesProblem(path) : elementsProblem(path));
  if (problem) throw corruptFile(type, problem);
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
    const averagePacketRate = await readTracks(input, video, type);
    const audio = await input.getPrimaryAudioTrack();
    return {
      width,
      height,
      durationSeconds: Math.max(0.001, Math.round(seconds * 1000) / 1000),
      details: {
        frameRate: Math.round(averagePacketRate * 1000) / 1000,
        ...(video.codec ? { videoCodec: video.codec } : {}),
        ...(audio?.codec ? { audioCodec: audio.codec } : {}),
        hasAudio: audio !== null,
      },
    };
  }
}

/**
 * Checks that every packet that the tracks declare is there, with its bytes. The packets are counted first, because a few
 * bytes can declare billions of them.
 * @returns the packets per second of the given track
 */
async function readTracks(input: Input, rated: InputTrack, type: string): Promise<number> {
  const { EncodedPacketSink } = await import("mediabunny");
  const tracks = await input.getTracks();
  if (tracks.length > MAX_TRACKS) throw corruptFile(type, `it has ${tracks.length} tracks, at most ${MAX_TRACKS}`);
  let left = MAX_PACKETS;
  let rate = 0;
  for (const track of tracks) {
    const { packetCount, averagePacketRate } = await track.computePacketStats(left + 1);
    left -= packetCount;
    if (left < 0) throw corruptFile(type, `it has more than ${MAX_PACKETS.toLocaleString("en")} packets`);
    if (track.id === rated.id) rate = averagePacketRate;
    let read = 0;
    for await (const packet of new EncodedPacketSink(track).packets()) if (packet.data.byteLength > 0) read += 1;
    if (read < packetCount) throw corruptFile(type, `a track has only ${read} of ${packetCount} packets`);
  }
  return rate;
}

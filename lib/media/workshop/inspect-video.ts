import type { Input, InputTrack } from "mediabunny";
import { corruptFile, UnusableFile } from "../file-errors";
import type { InspectedFile } from "../inspect";
import { boxesProblem, elementsProblem } from "./containers";

const MAX_SIDE = 16_384;

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
    for (const track of await input.getTracks()) await assertReadable(track, type);
    const audio = await input.getPrimaryAudioTrack();
    const { averagePacketRate } = await video.computePacketStats();
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

/** Checks that every packet that the track declares is there, with its bytes. */
async function assertReadable(track: InputTrack, type: string): Promise<void> {
  const { EncodedPacketSink } = await import("mediabunny");
  const { packetCount } = await track.computePacketStats();
  let read = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) if (packet.data.byteLength > 0) read += 1;
  if (read < packetCount) throw corruptFile(type, `a track has only ${read} of ${packetCount} packets`);
}

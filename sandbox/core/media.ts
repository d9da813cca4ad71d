// The libraries are loaded with the first file: together they take 45 MB, and most runs of the sandbox see none.

/** Properties read from the file itself, whatever its declared type. */
export type MediaInfo =
  | { kind: "image"; type: string; width: number; height: number; frames: number }
  | {
      kind: "video";
      type: string;
      width: number;
      height: number;
      durationSeconds: number;
      codec: string;
      fps: number;
      isFastStart: boolean;
      hasSquarePixels: boolean;
      /** The first track of sound. Absent: the video has none. */
      sound?: { codec: string; channels: number; sampleRate: number };
    }
  | { kind: "other"; type: string };

/** Reads kind, dimensions and duration from the file. A file that cannot be decoded has the kind `other`. */
export async function inspectMedia(bytes: Uint8Array): Promise<MediaInfo> {
  const type = await typeOf(bytes);
  const other = { kind: "other", type } as const;
  try {
    if (type.startsWith("image/")) return await inspectImage(bytes, type);
    if (type.startsWith("video/")) return (await inspectVideo(bytes, type)) ?? other;
  } catch {
    // Truncated or damaged: the network could not read it either.
  }
  return other;
}

/** The type that the bytes show, whatever was declared. */
export async function typeOf(bytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(bytes))?.mime ?? "application/octet-stream";
}

async function inspectImage(bytes: Uint8Array, type: string): Promise<MediaInfo> {
  const { default: sharp } = await import("sharp");
  const { width, height, pages, orientation, pageHeight } = await sharp(bytes, { animated: true }).metadata();
  const rows = pageHeight ?? height;
  const isTurned = (orientation ?? 1) >= 5;
  return { kind: "image", type, width: isTurned ? rows : width, height: isTurned ? width : rows, frames: pages ?? 1 };
}

async function inspectVideo(bytes: Uint8Array, type: string): Promise<MediaInfo | undefined> {
  const { ALL_FORMATS, BufferSource, Input } = await import("mediabunny");
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return undefined;
    const [durationSeconds, rate] = [await input.computeDuration(), await track.computePacketStats(100)];
    const [pixel, audio] = [await track.getPixelAspectRatio(), await input.getPrimaryAudioTrack()];
    return {
      kind: "video",
      type,
      width: track.displayWidth,
      height: track.displayHeight,
      durationSeconds,
      codec: track.codec ?? "unknown",
      fps: rate.averagePacketRate,
      isFastStart: hasIndexFirst(bytes),
      hasSquarePixels: Math.round((pixel.num / pixel.den) * 100) === 100,
      sound: audio
        ? { codec: audio.codec ?? "unknown", channels: audio.numberOfChannels, sampleRate: audio.sampleRate }
        : undefined,
    };
  } finally {
    input.dispose();
  }
}

/** Whether the `moov` box precedes the first `mdat` box (ISO 14496-12). True for containers that have neither. */
function hasIndexFirst(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  while (offset + 16 <= bytes.byteLength) {
    const name = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    if (name === "moov") return true;
    if (name === "mdat") return false;
    const size = view.getUint32(offset);
    offset += size === 1 ? Number(view.getBigUint64(offset + 8)) : Math.max(size, 8);
  }
  return true;
}

import { open, stat } from "node:fs/promises";
import type { MediaDetails } from "../../db";
import { type Platform, platforms } from "../../platforms";
import { ffmpeg } from "./films";

/** The rules that a video breaks, each with the networks that document it. */
type Rules = { [rule: string]: Platform[] };

export type RealVideo = {
  what: string;
  extension: string;
  /** Arguments of ffmpeg. `SOURCE` stands for the source, which comes first if it is not among them. */
  args: string[];
  /** Changes the file afterwards, for what ffmpeg does not write. */
  change?: (path: string) => Promise<void>;
  type: string;
  details: MediaDetails;
  rules: Rules;
};

const [MP4, MOV, WEBM, MKV] = ["video/mp4", "video/quicktime", "video/webm", "video/x-matroska"];
const ALL = Object.keys(platforms) as Platform[];
const except = (...left: Platform[]) => ALL.filter((platform) => !left.includes(platform));

/** Meta documents the same layout, chroma and sound for both. */
const LAYOUT: Platform[] = ["INSTAGRAM", "THREADS"];
const PROGRESSIVE: Platform[] = [...LAYOUT, "FACEBOOK", "X_TWITTER"];
const ONLY_MP4: Platform[] = ["LINKEDIN", "TELEGRAM"];
const NO_WEBM: Platform[] = except("TIKTOK", "YOUTUBE", "BLUE_SKY");
const H264: Platform[] = ["X_TWITTER", "TELEGRAM"];
const AAC: Platform[] = [...PROGRESSIVE, "TELEGRAM"];
const H265_TOO: Platform[] = [...LAYOUT, ...H264, "PINTEREST"];
/** The networks that list codecs, for a codec that is in none of the lists. */
const ANY_CODEC: Platform[] = [...H265_TOO, "FACEBOOK", "TIKTOK"];

const COPY = ["-c", "copy"];
const FAST = ["-movflags", "+faststart"];
const PLAIN = ["-c:a", "copy", "-c:v", "libx264", "-preset", "ultrafast"];
const NO_EDITS = ["-use_editlist", "0", ...FAST];
const AS_X265 = ["-c:a", "copy", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"];
const VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"];
const rewrapped: Rules = { "video.rewrapped": LAYOUT };

const video = (
  what: string,
  extension: string,
  args: string[],
  details: MediaDetails,
  rules: Rules,
  change?: RealVideo["change"],
): RealVideo => {
  const type = { mp4: MP4, mov: MOV, webm: WEBM, mkv: MKV }[extension] ?? "";
  return { what, extension, args, change, type, details, rules };
};

/** What people send, as ffmpeg, phones, cameras, editors and recorders write it, with the documented rules that it breaks. */
export const realVideos: RealVideo[] = [
  video("with fast start and without edit lists", "mp4", [...PLAIN, ...NO_EDITS], { index: "front" }, {}),
  video("as ffmpeg writes it", "mp4", COPY, { index: "end", editList: "start" }, rewrapped),
  video(
    "with fast start, as ffmpeg writes it",
    "mp4",
    [...COPY, ...FAST],
    { index: "front", editList: "start" },
    rewrapped,
  ),
  video("without fast start and edit lists", "mp4", [...COPY, "-use_editlist", "0"], { index: "end" }, rewrapped),
  video(
    "recorded in fragments",
    "mp4",
    [...COPY, "-movflags", "frag_keyframe+empty_moov+default_base_moof"],
    { index: "fragments" },
    rewrapped,
  ),
  video(
    "with its index behind 90 MB",
    "mp4",
    [...COPY, "-use_editlist", "0"],
    { index: "end" },
    rewrapped,
    moveIndexBack,
  ),
  video(
    "cut at the start without encoding",
    "mp4",
    ["-ss", "0.5", "SOURCE", ...COPY, ...FAST],
    { index: "front", editList: "cut" },
    { "video.container": LAYOUT },
  ),
  video(
    "cut at the end by a phone",
    "mp4",
    [...COPY, ...FAST],
    { index: "front", editList: "cut" },
    { "video.container": LAYOUT },
    halveEdits,
  ),
  video("with sound that starts later", "mp4", ["SOURCE", "-itsoffset", "0.4", "SOURCE", "-map", "0:v", "-map", "1:a", ...COPY], { index: "end", editList: "start" }, rewrapped), // biome-ignore format: one row
  video(
    "from a camera: MOV",
    "mov",
    COPY,
    { index: "end", editList: "start" },
    { "video.rewrapped": [...LAYOUT, ...ONLY_MP4] },
  ),
  video(
    "MOV with fast start and without edit lists",
    "mov",
    [...PLAIN, ...NO_EDITS],
    { index: "front" },
    { "video.rewrapped": ONLY_MP4 },
  ),
  video(
    "MOV with PCM",
    "mov",
    [...PLAIN, "-c:a", "pcm_s16le", ...NO_EDITS],
    { audioCodec: "pcm-s16" },
    { "audio.codec": AAC, "media.type": ONLY_MP4 },
  ),
  video("MOV with ALAC", "mov", [...PLAIN, "-c:a", "alac", ...NO_EDITS], { audioCodec: "alac" }, { "audio.codec": AAC, "media.type": ONLY_MP4 }), // biome-ignore format: one row
  video(
    "ProRes",
    "mov",
    ["-c:a", "copy", "-c:v", "prores", "-frames:v", "3", ...NO_EDITS],
    { videoCodec: "prores" },
    { "video.codec": ANY_CODEC, "media.type": ONLY_MP4 },
  ),
  video("MJPEG in MOV", "mov", ["-c:a", "copy", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-frames:v", "30", ...NO_EDITS], { videoCodec: "jpeg" }, { "video.codec": ANY_CODEC, "media.type": ONLY_MP4 }), // biome-ignore format: one row
  video("MKV from a recorder", "mkv", COPY, { videoCodec: "avc", audioCodec: "aac" }, { "video.rewrapped": ALL }),
  video("MKV without sound", "mkv", [...COPY, "-an"], { hasAudio: false }, { "video.rewrapped": ALL }),
  video(
    "MKV with FLAC",
    "mkv",
    [...PLAIN, "-c:a", "flac"],
    { audioCodec: "flac" },
    { "media.type": ALL, "audio.codec": AAC },
  ),
  video(
    "MKV with Opus",
    "mkv",
    ["-c:v", "copy", "-c:a", "libopus"],
    { audioCodec: "opus" },
    { "media.type": ALL, "audio.codec": AAC },
  ),
  video("MKV with HEVC", "mkv", AS_X265, { videoCodec: "hevc", bitDepth: 8, chroma: "4:2:0" }, { "video.rewrapped": except(...H264), "media.type": H264, "video.codec": H264 }), // biome-ignore format: one row
  video("MKV with VP9", "mkv", [...VP9, "-an"], { videoCodec: "vp9" }, { "media.type": ALL, "video.codec": H265_TOO }),
  video(
    "WebM with VP8 and Vorbis",
    "webm",
    ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libvorbis"],
    { videoCodec: "vp8", audioCodec: "vorbis" },
    { "media.type": NO_WEBM, "video.codec": [...H265_TOO, "FACEBOOK"], "audio.codec": AAC },
  ),
  video("WebM with VP9 and Opus", "webm", [...VP9, "-c:a", "libopus"], { videoCodec: "vp9", bitDepth: 8 }, { "media.type": NO_WEBM, "video.codec": H265_TOO, "audio.codec": AAC }), // biome-ignore format: one row
  video(
    "MP4 with AV1",
    "mp4",
    ["-c:a", "copy", "-c:v", "libsvtav1", "-preset", "12", "-frames:v", "8", ...NO_EDITS],
    { videoCodec: "av1", bitDepth: 8 },
    { "video.codec": [...H265_TOO, "TIKTOK"] },
  ),
  video("HEVC from a phone", "mp4", [...AS_X265, "-tag:v", "hvc1", ...NO_EDITS], { videoCodec: "hevc", bitDepth: 8, chroma: "4:2:0" }, { "video.codec": H264 }), // biome-ignore format: one row
  video(
    "HEVC with 10 bits",
    "mp4",
    [...AS_X265, "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1", ...NO_EDITS],
    { videoCodec: "hevc", bitDepth: 10, chroma: "4:2:0" },
    { "video.codec": H264, "video.bit_depth": ["X_TWITTER"] },
  ),
  video("HEVC with the tag hev1 and the index at the end", "mp4", [...AS_X265, "-tag:v", "hev1"], { videoCodec: "hevc", index: "end", editList: "start" }, { ...rewrapped, "video.codec": H264 }), // biome-ignore format: one row
  video("H.264 with 10 bits", "mp4", [...PLAIN, "-pix_fmt", "yuv420p10le", ...NO_EDITS], { bitDepth: 10, chroma: "4:2:0" }, { "video.bit_depth": ["X_TWITTER"] }), // biome-ignore format: one row
  video("H.264 with 4:2:2", "mp4", [...PLAIN, "-pix_fmt", "yuv422p", ...NO_EDITS], { bitDepth: 8, chroma: "4:2:2" }, { "video.chroma": PROGRESSIVE }), // biome-ignore format: one row
  video("H.264 with 4:4:4", "mp4", [...PLAIN, "-pix_fmt", "yuv444p", ...NO_EDITS], { chroma: "4:4:4" }, { "video.chroma": PROGRESSIVE }), // biome-ignore format: one row
  video(
    "interlaced, as from a camcorder",
    "mp4",
    [...PLAIN, "-flags", "+ilme+ildct", ...NO_EDITS],
    { isInterlaced: true },
    { "video.interlaced": PROGRESSIVE },
  ),
  video(
    "with a variable frame rate, as from a phone",
    "mp4",
    [...PLAIN, "-vf", "select=not(eq(mod(n\\,7)\\,3))", "-vsync", "vfr", ...NO_EDITS],
    { isVariableRate: true },
    { "video.variable_rate": ["FACEBOOK"] },
  ),
  video("15 frames a second", "mp4", [...PLAIN, "-r", "15", ...NO_EDITS], {}, { "video.frame_rate": [...LAYOUT, "FACEBOOK", "TIKTOK"] }), // biome-ignore format: one row
  video("59.94 frames a second", "mp4", [...PLAIN, "-r", "60000/1001", ...NO_EDITS], {}, {}),
  video("120 frames a second, as in slow motion", "mp4", [...PLAIN, "-r", "120", ...NO_EDITS], {}, { "video.frame_rate": [...PROGRESSIVE, "TIKTOK"] }), // biome-ignore format: one row
  video(
    "held upright: turned by a flag",
    "mp4",
    ["-metadata:s:v", "rotate=90", ...COPY],
    { index: "end", editList: "start" },
    rewrapped,
  ),
  video(
    "30 megabits a second",
    "mp4",
    [
      ...PLAIN,
      ..."-x264-params nal-hrd=cbr:force-cfr=1 -b:v 30M -minrate 30M -maxrate 30M -bufsize 3M".split(" "),
      ...NO_EDITS,
    ],
    {},
    { "video.bit_rate": ["INSTAGRAM"] },
  ),
  video("with pixels of 4:3", "mp4", [...PLAIN, "-vf", "setsar=4/3", ...NO_EDITS], { pixelAspect: 1.33 }, { "video.pixel_aspect": ["X_TWITTER"] }), // biome-ignore format: one row
  video("without sound", "mp4", [...PLAIN, "-an", ...NO_EDITS], { hasAudio: false }, {}),
  video("with sound of six channels", "mp4", [...PLAIN, "-c:a", "aac", "-ac", "6", ...NO_EDITS], { audioChannels: 6 }, { "audio.channels": [...LAYOUT, "X_TWITTER"] }), // biome-ignore format: one row
  video("with sound of 96 kHz", "mp4", [...PLAIN, "-c:a", "aac", "-ar", "96000", ...NO_EDITS], { audioSampleRate: 96_000 }, { "audio.sample_rate": LAYOUT }), // biome-ignore format: one row
  video(
    "with MP3",
    "mp4",
    [...PLAIN, "-c:a", "libmp3lame", ...NO_EDITS],
    { audioCodec: "mp3" },
    { "audio.codec": AAC },
  ),
  video("with AC-3", "mp4", [...PLAIN, "-c:a", "ac3", ...NO_EDITS], { audioCodec: "ac3" }, { "audio.codec": AAC }),
  video(
    "with two languages",
    "mp4",
    ["-map", "0:v", "-map", "0:a", "-map", "0:a", ...COPY],
    { audioCodec: "aac", editList: "start" },
    rewrapped,
  ),
  video(
    "MPEG-4 part 2",
    "mp4",
    ["-c:a", "copy", "-c:v", "mpeg4", ...NO_EDITS],
    { videoCodec: "mp4v" },
    { "video.codec": ANY_CODEC },
  ),
];

/** The upright video that the others are made of: 1.2 seconds of H.264 with B-frames, and AAC. */
export async function makeSource(path: string): Promise<void> {
  const inputs = ["testsrc=s=108x192:r=30:d=1.2", "sine=frequency=440:sample_rate=44100:duration=1.2"];
  const codecs = [
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-g",
    "12",
    "-bf",
    "2",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
  ];
  await ffmpeg([...inputs.flatMap((input) => ["-f", "lavfi", "-i", input]), ...codecs, "-ac", "2", path]);
}

/** Makes one of the videos from the source. */
export async function makeRealVideo({ args, change }: RealVideo, source: string, path: string): Promise<void> {
  const all = args.includes("SOURCE") ? args : ["SOURCE", ...args];
  await ffmpeg([...all.flatMap((one) => (one === "SOURCE" ? ["-i", source] : [one])), path]);
  await change?.(path);
}

/** Puts 90 MB of free space between the data and the index. The file stays small on disk. */
async function moveIndexBack(path: string): Promise<void> {
  const free = 90 * 1_048_576;
  const file = await open(path, "r+");
  try {
    const bytes = await file.readFile();
    const at = bytes.lastIndexOf("moov") - 4;
    const header = Buffer.alloc(8);
    header.writeUInt32BE(free);
    header.write("free", 4);
    await file.write(header, 0, 8, at);
    await file.write(bytes, at, bytes.length - at, at + free);
    await file.write(Buffer.alloc(bytes.length - at - 8), 0, bytes.length - at - 8, at + 8);
  } finally {
    await file.close();
  }
  if ((await stat(path)).size < free) throw new Error("the index was not moved");
}

/** Halves the duration that each edit list shows, as a phone does that cuts a video without encoding it. */
async function halveEdits(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const bytes = await file.readFile();
    for (let at = bytes.indexOf("elst"); at >= 0; at = bytes.indexOf("elst", at + 4)) {
      bytes.writeUInt32BE(bytes.readUInt32BE(at + 12) >> 1, at + 12);
    }
    await file.write(bytes, 0, bytes.length, 0);
  } finally {
    await file.close();
  }
}

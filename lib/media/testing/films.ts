import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const hasFfmpeg = spawnSync("ffmpeg", ["-version"], { stdio: "ignore" }).status === 0;

const PICTURE = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=2"];
const SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2"];
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"];

type Film = [what: string, extension: string, args: string[]];

/** One file for each variant of the accepted containers, with its type. */
export const films: [...Film, type: string][] = [
  ["an MP4 with sound", "mp4", [...PICTURE, ...SOUND, ...H264, "-c:a", "aac"], "video/mp4"],
  ["an MP4 with its index in front", "mp4", [...PICTURE, ...H264, "-movflags", "+faststart"], "video/mp4"],
  [
    "an MP4 in fragments",
    "mp4",
    [...PICTURE, ...H264, "-g", "10", "-movflags", "frag_keyframe+empty_moov+default_base_moof"],
    "video/mp4",
  ],
  ["an MP4 of MPEG-4 part 2", "mp4", [...PICTURE, "-c:v", "mpeg4"], "video/mp4"],
  ["a MOV", "mov", [...PICTURE, ...SOUND, ...H264, "-c:a", "pcm_s16le"], "video/quicktime"],
  ["a WebM of VP8", "webm", [...PICTURE, ...SOUND, "-c:v", "libvpx", "-c:a", "libvorbis"], "video/webm"],
  ["a WebM of VP9", "webm", [...PICTURE, ...VP9], "video/webm"],
  ["an MKV", "mkv", [...PICTURE, ...SOUND, ...H264, "-c:a", "flac"], "video/x-matroska"],
];

/** Files that are neither pictures nor accepted containers, with the detected type. */
export const unsupportedFilms: [...Film, type: RegExp][] = [
  ["an AVI", "avi", [...PICTURE, "-c:v", "mpeg4"], /video\/vnd\.avi/],
  ["an FLV", "flv", [...PICTURE, "-c:v", "flv"], /video\/x-flv/],
  ["an MPEG transport stream", "ts", [...PICTURE, "-c:v", "mpeg2video"], /video\/mp2t/],
  ["an MPEG program stream", "mpg", [...PICTURE, "-c:v", "mpeg2video", "-r", "25"], /video\/(mpeg|MP1S|MP2P)/],
  ["a WMV", "wmv", [...PICTURE, "-c:v", "wmv2"], /video\/x-ms-(asf|wmv)|application\/vnd\.ms-asf/],
  ["an Ogg with sound alone", "ogg", [...SOUND, "-c:a", "libvorbis"], /audio\/ogg/],
  ["a WAV", "wav", SOUND, /audio\/wav/],
  ["an MP3", "mp3", SOUND, /audio\/mpeg/],
  ["a FLAC", "flac", SOUND, /audio\/(x-)?flac/],
  ["a BMP", "bmp", [...PICTURE, "-frames:v", "1"], /image\/bmp/],
];

/** Accepted containers without a video track. */
export const soundOnly: Film[] = [
  ["an MP4 with sound alone", "mp4", [...SOUND, "-c:a", "aac"]],
  ["a WebM with sound alone", "webm", [...SOUND, "-c:a", "libvorbis"]],
  ["an MKV with sound alone", "mkv", [...SOUND, "-c:a", "flac"]],
];

/** Made by ffmpeg, with identical bytes each time. */
export async function filmOf([, extension, args]: Film): Promise<Buffer> {
  const path = join(tmpdir(), `carillon-film-${randomUUID()}.${extension}`);
  try {
    await ffmpeg([...args, path]);
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Runs ffmpeg with one thread, and so that it writes identical bytes each time. */
export async function ffmpeg(args: string[]): Promise<string> {
  const always = ["-hide_banner", "-loglevel", "error", "-threads", "1", "-fflags", "+bitexact", "-y"];
  const { stdout } = await promisify(execFile)("ffmpeg", [...always, ...args]);
  return stdout;
}

/** The colour in the middle of a frame, decoded by ffmpeg: red, green, blue, 0 to 255. @param at the frame's number, from 0 */
export async function colourAt(path: string, at: number): Promise<number[]> {
  const middle = `select=eq(n\\,${at}),crop=2:2:iw/2:ih/2`;
  const args = ["-hide_banner", "-loglevel", "error", "-i", path, "-vf", middle, "-frames:v", "1"];
  const written = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
  const { stdout } = await promisify(execFile)("ffmpeg", [...args, ...written], { encoding: "buffer" });
  return [...stdout.subarray(0, 3)];
}

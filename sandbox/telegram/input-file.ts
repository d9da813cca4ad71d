import { FetchError, fetchMedia } from "../core/fetch-media";
import { randomToken } from "../core/ids";
import { inspectMedia, type MediaInfo } from "../core/media";
import type { Parameters, Upload } from "./request";
import { badRequest } from "./request";
import type { BotFile, TelegramState } from "./state";

const MB = 1_048_576;
export type FileKind = BotFile["kind"];
export type SentFile = { id: string; file: BotFile };

/** Reads a file parameter: an upload or `attach://`, a URL, or the id of an earlier file. Source: Bot API, sending files. */
export async function inputFile(
  state: TelegramState,
  parameters: Parameters,
  field: string,
  kind: FileKind,
  value = parameters.text[field],
): Promise<SentFile> {
  const part = value?.startsWith("attach://") ? value.slice("attach://".length) : field;
  const upload = value === undefined || value.startsWith("attach://") ? parameters.files.get(part) : undefined;
  if (upload) return keepFile(state, kind, upload);
  if (value?.startsWith("attach://")) throw badRequest(`wrong file identifier/HTTP URL specified`);
  if (!value) throw badRequest(`there is no ${kind} in the request`);
  if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return keepFile(state, kind, await byUrl(value, kind));
  const file = state.files.get(value);
  if (!file) throw badRequest("wrong file identifier/HTTP URL specified");
  if (file.kind !== kind) throw badRequest(`can't use file of type ${capital(file.kind)} as ${capital(kind)}`);
  return { id: value, file };
}

async function byUrl(url: string, kind: FileKind): Promise<Upload> {
  const { bytes, contentType } = await fetchMedia(url, (kind === "photo" ? 5 : 20) * MB).catch((error: unknown) => {
    throw badRequest(
      error instanceof FetchError && error.reason === "address"
        ? "wrong HTTP URL specified"
        : "failed to get HTTP URL content",
    );
  });
  const isRight =
    kind === "photo"
      ? contentType.startsWith("image/")
      : kind === "document"
        ? /(gif|pdf|zip)/.test(contentType)
        : /^(video\/mp4|image\/gif)/.test(contentType);
  if (!isRight) throw badRequest("wrong type of the web page content");
  return { bytes, name: decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "") };
}

async function keepFile(state: TelegramState, kind: FileKind, { bytes, name }: Upload): Promise<SentFile> {
  const max = (kind === "photo" ? 10 : 50) * MB;
  if (bytes.byteLength === 0) throw badRequest("file must be non-empty");
  if (bytes.byteLength > max)
    throw badRequest(
      `file of size ${bytes.byteLength} bytes is too big for a ${kind}; the maximum size is ${max} bytes`,
    );
  const info = await inspectMedia(bytes);
  if (kind === "photo") assertPhoto(info);
  const settled = actualKind(kind, info);
  const size = info.kind === "other" ? { width: 0, height: 0 } : { width: info.width, height: info.height };
  const file: BotFile = {
    ...state.world.blobs.store(bytes, info.type),
    ...size,
    kind: settled,
    duration: info.kind === "video" ? Math.round(info.durationSeconds) : 0,
    name,
  };
  const id = `${PREFIX[settled]}${randomToken(42)}`;
  state.files.put(id, file);
  return { id, file };
}

const PREFIX = { photo: "AgAC", video: "BAAC", animation: "CgAC", document: "BQAC" } satisfies Record<FileKind, string>;

function assertPhoto(info: MediaInfo): void {
  if (info.kind !== "image") throw badRequest("IMAGE_PROCESS_FAILED");
  const { width, height } = info;
  if (width + height > 10_000 || Math.max(width / height, height / width) > 20)
    throw badRequest("PHOTO_INVALID_DIMENSIONS");
}

/** The kind under which a file is sent. Videos that are not MPEG-4, and animations that are neither MPEG-4 nor GIF, become documents. */
function actualKind(kind: FileKind, info: MediaInfo): FileKind {
  const isMpeg4 = info.kind === "video" && /mp4|quicktime|m4v/.test(info.type);
  if (kind === "video" && !isMpeg4) return "document";
  if (kind === "animation" && !isMpeg4 && info.type !== "image/gif") return "document";
  return kind;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The `Message` fields of a file. */
export function presentFile({ id, file }: SentFile): Record<string, unknown> {
  const { width, height, duration, name, kind, sizeBytes, type, sha256 } = file;
  const base = { file_id: id, file_unique_id: `AQAD${sha256.slice(0, 12)}`, file_size: sizeBytes };
  if (kind === "photo") return { photo: photoSizes(base, width, height) };
  const named = { ...base, mime_type: type, ...(name ? { file_name: name } : {}) };
  if (kind === "document") return { document: named };
  // Animations also set `document`, for older bots.
  return kind === "video"
    ? { video: { ...named, width, height, duration } }
    : { animation: { ...named, width, height, duration }, document: named };
}

function photoSizes(
  base: { file_id: string; file_unique_id: string; file_size: number },
  width: number,
  height: number,
) {
  const longest = Math.max(width, height);
  const widths = [90, 320, 800, 1280].filter((side) => side < longest);
  return [...widths, Math.min(longest, 2560)].map((side) => ({
    ...base,
    width: Math.max(1, Math.round((width * side) / longest)),
    height: Math.max(1, Math.round((height * side) / longest)),
  }));
}

import { coverWords } from "./words";

const LONGEST_SIDE = 1920;
const QUALITY = 0.9;

/** Returns the size of the cover picture: no larger than networks show it, with the same proportions. */
export function sizeOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Returns the current frame of a video as a JPEG, which every network accepts.
 * @throws Error if the browser cannot draw it
 */
export async function frameOf(video: HTMLVideoElement, name: string): Promise<File> {
  if (video.seeking) await new Promise((resolve) => video.addEventListener("seeked", resolve, { once: true }));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, sizeOf(video.videoWidth, video.videoHeight));
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  if (!blob || video.videoWidth === 0) throw new Error(coverWords.window.noFrame);
  return new File([blob], coverWords.window.fileName(name.replace(/\.\w+$/, "")), { type: "image/jpeg" });
}

/** Formats a position in a video: `0:07.3`. */
export function momentWords(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}

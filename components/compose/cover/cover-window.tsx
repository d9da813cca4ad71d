"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useFirstMedium } from "../../library/use-alt-text";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { TitledModal } from "../../ui/titled-modal";
import { coverWords } from "../window-words";

type Props = {
  path: string;
  name: string;
  hasCover: boolean;
  /** Which networks use it. */
  fate: string;
  /** @param cover undefined lets each network choose */
  set: (cover: File | undefined) => void;
  close: () => void;
};

const OWN = "image/jpeg,image/png,image/webp";
/** How far an arrow key moves: one frame of most videos. */
const STEP_SECONDS = 0.04;

/** Chooses a frame of the video with a slider, or the user's own picture. */
export function CoverWindow({ path, name, hasCover, fate, set, close }: Props) {
  return (
    <TitledModal title={coverWords.title(name)} close={close} className="w-[min(36rem,calc(100vw-2rem))]">
      <p className="text-muted text-sm">{fate}</p>
      <Frames
        path={path}
        name={name}
        use={async (video) => set(await frameOf(video, name))}
        otherwise={coverWords.ownInstead}
      />
      <OwnPicture set={set} />
      <div className="flex flex-wrap gap-x-5 border-line border-t pt-3 text-accent text-sm">
        {hasCover && (
          <button type="button" onClick={() => set(undefined)} className="min-h-8 underline">
            {coverWords.letNetworksChoose}
          </button>
        )}
        <button type="button" onClick={close} className="min-h-8 underline">
          {coverWords.leaveIt}
        </button>
      </div>
    </TitledModal>
  );
}

type FrameProps = Pick<Props, "path" | "name" | "close"> & { set: (seconds: number) => void };

/** Chooses a moment of the video, whose frame the network makes the cover. */
export function FrameWindow({ path, name, set, close }: FrameProps) {
  return (
    <TitledModal title={coverWords.title(name)} close={close} className="w-[min(36rem,calc(100vw-2rem))]">
      <Frames path={path} name={name} use={async ({ currentTime }) => set(currentTime)} otherwise={(why) => why} />
    </TitledModal>
  );
}

type FramesProps = Pick<Props, "path" | "name"> & {
  /** Takes the frame that the video shows. */
  use: (video: HTMLVideoElement) => Promise<void>;
  /** What to do if the browser cannot show the video. */
  otherwise: (why: string) => string;
};

function Frames({ path, name, use, otherwise }: FramesProps) {
  const { medium, error } = useFirstMedium(path);
  const video = useRef<HTMLVideoElement>(null);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const [isShown, setShown] = useState(false);
  const [failure, setFailure] = useState<string>();
  function go(seconds: number) {
    setAt(seconds);
    if (video.current) video.current.currentTime = seconds;
  }
  /** A video recorded by a browser may have no length; then only its first frame can be chosen. */
  function measure({ duration, readyState }: HTMLVideoElement) {
    if (readyState < HTMLMediaElement.HAVE_METADATA) return;
    setLength(Number.isFinite(duration) ? duration : (medium?.durationSeconds ?? 0));
    setShown(readyState >= HTMLMediaElement.HAVE_CURRENT_DATA);
  }
  // A video that is already loaded fires no event again.
  const measureAtOnce = useEffectEvent(() => video.current && measure(video.current));
  useEffect(() => void measureAtOnce(), []);
  async function take() {
    if (!video.current || !isShown) return;
    await use(video.current).catch(({ message }: Error) => setFailure(message));
  }
  const problem = failure ?? error?.message;
  if (problem !== undefined) return <Notice tone="warn">{otherwise(problem)}</Notice>;
  const place = coverWords.atOf(momentWords(at), momentWords(length));
  return (
    <div className="grid gap-3">
      <video
        ref={video}
        src={medium?.url}
        crossOrigin="anonymous" // a canvas that shows a file of MEDIA_URL can only be read with it
        muted
        playsInline
        preload="auto"
        aria-label={coverWords.videoAt(name, momentWords(at))}
        className="max-h-[50dvh] min-h-40 w-full rounded-lg bg-black object-contain"
        onLoadedMetadata={({ currentTarget }) => measure(currentTarget)}
        onDurationChange={({ currentTarget }) => measure(currentTarget)}
        onLoadedData={({ currentTarget }) => measure(currentTarget)}
        onError={() => medium && setFailure(coverWords.noVideo)}
      />
      <label className="grid gap-1 text-sm">
        <span className="flex justify-between gap-3">
          <span className="font-medium">{coverWords.moment}</span>
          <span aria-hidden className="text-muted tabular-nums">
            {place}
          </span>
        </span>
        <input
          type="range"
          min={0}
          max={length}
          step={STEP_SECONDS}
          value={at}
          aria-valuetext={place}
          onChange={({ target }) => go(Number(target.value))}
          className="min-h-11 w-full accent-(--accent)"
        />
      </label>
      <Button onClick={() => void take()} aria-disabled={!isShown}>
        {coverWords.thisFrame}
      </Button>
    </div>
  );
}

function OwnPicture({ set }: Pick<Props, "set">) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={OWN}
        aria-label={coverWords.ownPicture}
        className="hidden"
        onChange={({ target: { files } }) => files?.[0] && set(files[0])}
      />
      <Button look="quiet" onClick={() => input.current?.click()}>
        {coverWords.chooseOwn}
      </Button>
    </>
  );
}

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
async function frameOf(video: HTMLVideoElement, name: string): Promise<File> {
  if (video.seeking) await new Promise((resolve) => video.addEventListener("seeked", resolve, { once: true }));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, sizeOf(video.videoWidth, video.videoHeight));
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  if (!blob || video.videoWidth === 0) throw new Error(coverWords.noFrame);
  return new File([blob], coverWords.fileName(name.replace(/\.\w+$/, "")), { type: "image/jpeg" });
}

/** Formats a position in a video: `0:07.3`. */
export function momentWords(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}

/* biome-ignore-all lint/performance/noImgElement: cropping needs the original file */
"use client";
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from "react";
import { cropWords } from "../window-words";
import { type Box, type Corner, moved, resized, type Size } from "./box";

type Props = {
  src: string | undefined;
  name: string;
  image: RefObject<HTMLImageElement | null>;
  picture: Size | undefined;
  box: Box;
  ratio: number | undefined;
  change: (box: Box) => void;
  onLoad: (size: Size) => void;
  onError: () => void;
};

type Move = (box: Box, by: { x: number; y: number }, picture: Size) => Box;

const CORNERS: { corner: Corner; label: string; place: string }[] = [
  { corner: "nw", label: cropWords.topLeft, place: "top-0 left-0 cursor-nwse-resize" },
  { corner: "ne", label: cropWords.topRight, place: "top-0 left-full cursor-nesw-resize" },
  { corner: "sw", label: cropWords.bottomLeft, place: "top-full left-0 cursor-nesw-resize" },
  { corner: "se", label: cropWords.bottomRight, place: "top-full left-full cursor-nwse-resize" },
];

/** Visible on any picture, light or dark. */
const FOCUS = "focus-visible:outline-white focus-visible:ring-6 focus-visible:ring-black";

/** An arrow key moves by 1% of the picture, with Shift by 10%. */
const STEPS: { [key: string]: { x: number; y: number } } = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The picture with the selected part, which can be moved and resized with a pointer or the arrow keys. */
export function Stage({ src, name, image, picture, box, ratio, change, onLoad, onError }: Props) {
  const from = useRef<{ x: number; y: number; box: Box }>(undefined);
  const drawn = () => (picture && image.current ? picture.width / image.current.clientWidth : 1);

  function handlers(move: Move) {
    return {
      onKeyDown(event: KeyboardEvent) {
        const step = STEPS[event.key];
        if (!step || !picture) return;
        event.preventDefault();
        const size = Math.max(1, (Math.max(picture.width, picture.height) * (event.shiftKey ? 10 : 1)) / 100);
        change(move(box, { x: step.x * size, y: step.y * size }, picture));
      },
      onPointerDown(event: PointerEvent) {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY, box };
      },
      onPointerMove(event: PointerEvent) {
        if (!from.current || !picture || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const by = { x: (event.clientX - from.current.x) * drawn(), y: (event.clientY - from.current.y) * drawn() };
        change(move(from.current.box, by, picture));
      },
    };
  }
  const part = (of: number, all: number) => `${(100 * of) / all}%`;
  return (
    <div className="flex justify-center rounded-lg bg-black p-4">
      <div className="relative overflow-clip [overflow-clip-margin:1rem]">
        <img
          ref={image}
          src={src}
          crossOrigin="anonymous" // a canvas that shows a file of MEDIA_URL can only be read with it
          alt={name}
          className="block max-h-[45dvh] max-w-full"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onLoad({ width, height })}
          onError={onError}
        />
        {picture && (
          <div
            className="absolute outline-2 outline-white shadow-[0_0_0_200vmax_rgb(0_0_0/0.55)]"
            style={{
              left: part(box.x, picture.width),
              top: part(box.y, picture.height),
              width: part(box.width, picture.width),
              height: part(box.height, picture.height),
            }}
          >
            <button
              type="button"
              aria-label={cropWords.part}
              className={`absolute inset-0 cursor-move touch-none ${FOCUS}`}
              {...handlers(moved)}
            />
            {CORNERS.map(({ corner, label, place }) => (
              <button
                key={corner}
                type="button"
                aria-label={label}
                className={`-translate-x-1/2 -translate-y-1/2 absolute flex size-8 touch-none items-center justify-center ${FOCUS} ${place}`}
                {...handlers((now, by, whole) => resized(now, corner, by, whole, ratio))}
              >
                <span aria-hidden className="size-4 rounded-full border-2 border-black bg-white" />
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

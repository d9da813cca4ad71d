"use client";

import { useRef, useState } from "react";
import { callApi } from "../../api/client";
import type { ApiMedia } from "../../library/queries";
import { addressOf } from "../../library/stored-files";
import { useFirstMedium } from "../../library/use-alt-text";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { TitledModal } from "../../ui/titled-modal";
import type { Target } from "../targets/targets";
import type { Upload } from "../uploads/use-uploads";
import { cropWords } from "../window-words";
import { composeWords } from "../words";
import { type Box, largest, RATIOS, type Ratio, type Size, wholePixels } from "./box";
import { Stage } from "./stage";

/** Formats that browsers can write; anything else becomes a JPEG, which every network accepts. */
const WRITTEN: { [contentType: string]: string } = { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp" };
const QUALITY = 0.92;

/** Returns a part of a picture as a new file, upright. @throws Error if the browser cannot write it */
async function cut(image: HTMLImageElement, box: Box, name: string, contentType: string): Promise<File> {
  const type = WRITTEN[contentType] ? contentType : "image/jpeg";
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: box.width, height: box.height });
  const { x, y, width, height } = box;
  canvas.getContext("2d")?.drawImage(image, x, y, width, height, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  if (!blob) throw new Error(cropWords.tooLarge);
  return new File([blob], cropWords.fileName(name.replace(/\.\w+$/, ""), WRITTEN[type] ?? ""), { type });
}

/**
 * Returns the largest centred part of a stored picture with this ratio.
 * @throws Error if the picture moves, or the browser cannot show or write it
 */
export async function cropTo({ path = "", name }: Upload, ratio: number): Promise<File> {
  const { url, contentType, frames = 1 } = await callApi<ApiMedia>(addressOf(path));
  if (frames > 1) throw new Error(cropWords.moves);
  const image = new Image();
  image.crossOrigin = "anonymous"; // a canvas that shows a file of MEDIA_URL can only be read with it
  image.src = url;
  await image.decode().catch(() => {
    throw new Error(cropWords.cannotShow);
  });
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  return cut(image, wholePixels(largest(picture, ratio), picture), name, contentType);
}

type Props = {
  /** Its storage key. */
  path: string;
  file: Upload;
  targets: Target[];
  crop: (file: File) => void;
  close: () => void;
};

const NONE: Box = { x: 0, y: 0, width: 0, height: 0 };

/** Chooses a part of a picture. */
export function CropWindow({ close, ...cropping }: Props) {
  return (
    <TitledModal title={composeWords.cropOf(cropping.file.name)} close={close}>
      <p className="text-muted text-sm">{cropWords.howTo}</p>
      <Cropping {...cropping} />
      <button type="button" onClick={close} className="min-h-8 justify-self-start text-accent text-sm underline">
        {cropWords.leaveIt}
      </button>
    </TitledModal>
  );
}

function Cropping({ path, file, targets, crop }: Omit<Props, "close">) {
  const { name } = file;
  const { medium, error } = useFirstMedium(path);
  const image = useRef<HTMLImageElement>(null);
  const [picture, setPicture] = useState<Size>();
  const [box, setBox] = useState(NONE);
  const [chosen, setChosen] = useState<string>(cropWords.free);
  const [failure, setFailure] = useState<string>();
  if (error || failure) return <Notice tone="warn">{failure ?? error?.message}</Notice>;
  if ((medium?.frames ?? 1) > 1) return <Notice tone="warn">{cropWords.moves}</Notice>;
  const ratios = picture ? ratiosFor(file, targets, picture) : [];
  const original = picture && { name: cropWords.original, value: picture.width / picture.height };
  const ratio = [...ratios, ...(original ? [original] : [])].find((one) => one.name === chosen)?.value;
  const { width, height } = picture ? wholePixels(box, picture) : NONE;
  const isWhole = picture && width === picture.width && height === picture.height;
  function choose(of: { name: string; value?: number }) {
    setChosen(of.name);
    if (picture && of.value !== undefined) setBox(largest(picture, of.value));
  }
  function use() {
    if (!picture || isWhole || !image.current || !medium) return;
    cut(image.current, wholePixels(box, picture), name, medium.contentType).then(crop, ({ message }: Error) =>
      setFailure(message),
    );
  }
  return (
    <div className="grid gap-3">
      <Stage
        src={medium?.url}
        name={name}
        image={image}
        picture={picture}
        box={box}
        ratio={ratio}
        change={setBox}
        onLoad={(size) => {
          setPicture(size);
          setBox(largest(size));
        }}
        onError={() => setFailure(cropWords.cannotShow)}
      />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-1 font-medium text-sm">{cropWords.ratio}</legend>
        {[{ name: cropWords.free }, ...(original ? [original] : []), ...ratios].map((one) => (
          <Button
            key={one.name}
            look={one.name === chosen ? "primary" : "quiet"}
            aria-pressed={one.name === chosen}
            onClick={() => choose(one)}
            className="px-3 text-sm"
          >
            {one.name}
          </Button>
        ))}
      </fieldset>
      <p role="status" className="text-muted text-sm">
        {cropWords.pixels(width, height)}
      </p>
      <Button onClick={use} aria-disabled={!picture || isWhole}>
        {cropWords.crop}
      </Button>
    </div>
  );
}

/** Returns the ratios that every network with this picture accepts; all ratios if they have none in common. */
export function ratiosFor({ id }: Pick<Upload, "id">, targets: Target[], picture: Size): Ratio[] {
  const bounds = targets
    .flatMap(({ posts }) => posts.filter(({ files }) => files.some((file) => file.id === id)))
    .flatMap(({ limits }) => limits?.image?.ratio ?? []);
  const taken = RATIOS.filter(({ value }) => {
    const { width, height } = wholePixels(largest(picture, value), picture);
    return bounds.every(({ min, max, certainMin = min }) => width / height >= certainMin && width / height <= max);
  });
  return taken.length > 0 ? taken : RATIOS;
}

import { type ComponentType, memo } from "react";
import type { Platform } from "@/lib/platforms";
import type { LayoutProps } from "./frame";
import { PagePost, PicturePost, Pin, WatchPage } from "./layouts";
import { Bubbles, Thread } from "./thread";
import type { Preview as PreviewData } from "./types";
import { Upright } from "./upright";
import { previewWords } from "./words";

const blue = "text-sky-700 dark:text-sky-400";

/** The layout and the link colour of each network. */
const LAYOUTS: Record<Platform, { Layout: ComponentType<LayoutProps>; marked: string }> = {
  X_TWITTER: { Layout: Thread, marked: blue },
  BLUE_SKY: { Layout: Thread, marked: "text-blue-700 dark:text-blue-400" },
  THREADS: { Layout: Thread, marked: blue },
  LINKEDIN: { Layout: PagePost, marked: "font-semibold text-blue-800 dark:text-blue-300" },
  FACEBOOK: { Layout: PagePost, marked: "text-blue-700 dark:text-blue-400" },
  INSTAGRAM: { Layout: PicturePost, marked: "text-blue-900 dark:text-blue-300" },
  TIKTOK: { Layout: Upright, marked: "font-semibold" },
  TELEGRAM: { Layout: Bubbles, marked: blue },
  PINTEREST: { Layout: Pin, marked: "font-semibold" },
  YOUTUBE: { Layout: WatchPage, marked: "text-blue-700 dark:text-blue-400" },
};

/** The preview of a publication. Only folding the text and the carousel are interactive. */
export const PublicationMockup = memo(function Preview({ preview }: { preview: PreviewData }) {
  const { Layout, marked } = LAYOUTS[preview.platform];
  const isUpright = preview.shape !== "post";
  return (
    <figure aria-label={previewWords.previewFor(preview.network)} className="grid min-w-0 gap-2">
      {isUpright ? <Upright preview={preview} marked="font-semibold" /> : <Layout preview={preview} marked={marked} />}
      <figcaption className="text-muted text-xs">{previewWords.mayDiffer(preview.network)}</figcaption>
    </figure>
  );
});

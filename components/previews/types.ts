import type { Animation } from "@/lib/networks/animation";
import type { Platform } from "@/lib/platforms";

export type PreviewMedia = {
  key: string;
  kind: "image" | "video";
  /** Of an image that moves. */
  animation?: Animation;
  /** A picture of it, where there is one to show. */
  src?: string;
  /** In words: its alt text where the network is sent one, else the file's name. */
  name: string;
  /** The file's own words, whether or not the network is sent them. */
  altText?: string;
};

export type PreviewPost = { text: string; media: PreviewMedia[] };

/** Where on its network a publication appears. */
export type Shape = "post" | "reel" | "story";

/** What a network will show of one publication: plain data, made from the very request or from what is stored of it. */
export type Preview = {
  platform: Platform;
  network: string;
  shape: Shape;
  author: { name: string; handle: string; avatarUrl?: string };
  /** The channel, Page or board. */
  place?: string;
  title?: string;
  /** Where a Pin leads. */
  link?: string;
  topic?: string;
  /** Who will see it, where that is not everybody. */
  audience?: string;
  isMadeWithAi: boolean;
  posts: PreviewPost[];
};

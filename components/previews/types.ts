import type { Animation } from "@/lib/networks/animation";
import type { FileKind } from "@/lib/networks/limits";
import type { Entity } from "@/lib/networks/text/markup";
import type { Platform } from "@/lib/platforms";

/** A name at a place in a picture, from 0 to 1 from the top left. */
export type PlacedName = { name: string; x: number; y: number };

export type PreviewMedia = {
  key: string;
  kind: FileKind;
  /** Set for an animated image. */
  animation?: Animation;
  /** Its thumbnail, if any. */
  src?: string;
  /** Its alt text if the network gets it, else its file name. */
  name: string;
  /** The people who are tagged in it, if it is a picture of Instagram's feed. */
  tags?: PlacedName[];
  /** The file's alt text, even if the network does not get it. */
  altText?: string;
};

/** `entities`: the formatted parts of the text. `place`: its own destination; the raw ID if the title is unknown. */
export type PreviewPost = { text: string; entities?: Entity[]; media: PreviewMedia[]; place?: string };

/** Where the network shows it. */
export type Shape = "post" | "reel" | "story";

/** What a network will show of one publication, as plain data. */
export type Preview = {
  platform: Platform;
  network: string;
  shape: Shape;
  author: { name: string; handle: string; avatarUrl?: string };
  /** The channel, Page or board. */
  place?: string;
  title?: string;
  /** A Pin's link, or the one of Facebook's card. */
  link?: string;
  /** The text of the button that leads to a link. */
  button?: string;
  /** What Pinterest shows until the picture has loaded. */
  colour?: string;
  topic?: string;
  /** Who publishes it too, and who is tagged in it. */
  collaborators: string[];
  tagged: string[];
  /** Whether it has a location. Only the location's ID is known. */
  hasLocation: boolean;
  /** The audience, unless it is everyone. */
  audience?: string;
  isMadeWithAi: boolean;
  /** Who can reply, unless it is everyone. */
  replies?: string;
  /** The address or ID of a quoted post. */
  quote?: string;
  /** The options of a poll. */
  poll?: string[];
  /** Content warnings. */
  warnings?: string[];
  posts: PreviewPost[];
  /** When it goes out or went out, in words. Absent: now. */
  time?: string;
  /** The first comment on it, or the first reply. */
  comment?: string;
  /** Settings that the network itself does not show, in words. */
  remarks: string[];
};

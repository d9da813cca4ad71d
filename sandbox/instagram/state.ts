import * as z from "zod";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";

/** Behaviour that sources disagree about or that is not documented, set by `/_control/instagram/switches`. */
const NewSwitches = z.strictObject({
  /** The smallest ratio of an image in the feed. Documented is 4:5; 3:4 was reported as accepted. */
  imageRatioMin: z.number().positive().default(0.8),
  /** Whether stories can be labelled as made with AI. The changelog does not exclude them. */
  storiesTakeAiLabel: z.boolean().default(true),
  /** Whether a story with a caption is refused. Otherwise its caption is ignored. */
  storiesRefuseCaptions: z.boolean().default(false),
  /** Whether calls need an `appsecret_proof`, as on graph.facebook.com with "Require App Secret". */
  requiresProof: z.boolean().default(false),
  /** The longest video in a carousel. Reels may last 15 minutes; older pages say 60 seconds for carousels. */
  maxChildSeconds: z.number().default(900),
  /** The unit in which the 2,200 characters of a caption are counted. */
  captionUnit: z.enum(["code points", "UTF-16 units"]).default("code points"),
  /** The most characters of a comment. Meta documents none: Upload-Post states 2,196, Sprinklr 2,200. */
  commentMax: z.int().positive().default(2196),
  /** The answer to a container that was published before: an error, or the ID of its post again. */
  publishedAgain: z.enum(["error", "id"]).default("error"),
  /** How many reads after its publication a container still looks as if it were only finished. */
  publishedShowsAfterReads: z.number().default(0),
  /** Whether the Facebook application has the feature Page Public Metadata Access. */
  mayReadPublicPages: z.boolean().default(true),
  /** How many posts of a list's page are left out for their privacy. They count in `limit`. */
  hiddenPerPage: z.number().default(0),
});

export type MediaType = "IMAGE" | "VIDEO" | "REELS" | "STORIES" | "CAROUSEL";

export type Container = {
  id: string;
  account: string;
  mediaType: MediaType;
  isCarouselItem: boolean;
  caption: string;
  url?: string;
  isVideo: boolean;
  children: string[];
  settings: Record<string, unknown>;
  thumbOffset?: number;
  polls: number;
  /** Set once the file was fetched and checked. */
  file?: StoredMedia;
  /** The text of `status` once the container has failed. */
  problem?: string;
  createdAt: number;
  publishedAs?: string;
  /** The number of further reads that do not show the publication yet. */
  hiddenReads?: number;
};

export type Media = {
  id: string;
  account: string;
  container: string;
  caption: string;
  mediaType: "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM";
  productType: "FEED" | "REELS" | "STORY";
  shortcode: string;
  permalink: string;
  files: StoredMedia[];
  children: string[];
  settings: Record<string, unknown>;
  createdAt: number;
};

export type InstagramState = {
  world: World;
  codes: Codes;
  grants: Grants;
  containers: Collection<Container>;
  media: Collection<Media>;
  /** Published media of an account, oldest first. */
  mediaOf(account: string): Media[];
  addMedia(media: Media): Media;
  addContainer(container: Container): Container;
  containersSince(account: string, since: number): number;
  reset(): void;
  /** Running downloads, by container id. */
  processing: Map<string, Promise<void>>;
  switches: Switches<z.output<typeof NewSwitches>>;
};

export function openState(world: World): InstagramState {
  const containers = world.collection<Container>("instagram.containers");
  const media = world.collection<Media>("instagram.media");
  const mediaByAccount = new Map<string, Media[]>();
  const containerTimes = new Map<string, number[]>();
  for (const kept of media.values()) append(mediaByAccount, kept.account, kept);
  for (const kept of containers.values()) append(containerTimes, kept.account, kept.createdAt);

  return {
    world,
    codes: world.codes("instagram"),
    grants: world.grants("instagram"),
    containers,
    media,
    mediaOf: (account) => mediaByAccount.get(account) ?? [],
    addMedia(kept) {
      append(mediaByAccount, kept.account, kept);
      return media.put(kept.id, kept);
    },
    addContainer(container) {
      append(containerTimes, container.account, container.createdAt);
      return containers.put(container.id, container);
    },
    containersSince(account, since) {
      const times = containerTimes.get(account) ?? [];
      return times.length - 1 - times.findLastIndex((time) => time < since);
    },
    reset() {
      for (const forgotten of [containers, media, mediaByAccount, containerTimes]) forgotten.clear();
    },
    processing: new Map(),
    switches: createSwitches(NewSwitches),
  };
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The professional account id, which is used in paths: 17 digits, above 2^53. */
export function professionalId(name: string): string {
  return stableId(["instagram", name], 17_841_400_000_000_000n, 99_999_999_999n);
}

/** The app-scoped user id, which differs from the professional id. */
export function appScopedId(name: string): string {
  return stableId(["instagram", "app-scoped", name], 24_000_000_000_000_000n, 999_999_999_999_999n);
}

import * as z from "zod";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";

/** Behaviour that is not documented, set by `/_control/threads/switches`. */
const NewSwitches = z.strictObject({
  /** How long after its publication a post cannot be replied to. */
  replyAfterSeconds: z.number().min(0).default(0),
  /** Whether answers have the header with the app's usage, as on graph.facebook.com. Here it says that everything is used up. */
  usageHeaders: z.boolean().default(false),
  /** The field of an error that names `THREADS_API__LINK_LIMIT_EXCEEDED`. */
  linkLimitIn: z.enum(["message", "title"]).default("message"),
  /** The parameter with the text of a location search. Meta's pages disagree. */
  locationsBy: z.enum(["q", "query"]).default("q"),
  /** Whether the application's permission for locations is approved. Until then, every search is one for Menlo Park. */
  locationsApproved: z.boolean().default(true),
  /** Whether calls need an `appsecret_proof`, as on graph.facebook.com with "Require App Secret". */
  requiresProof: z.boolean().default(false),
  /** The code and subcode of a used-up quota. The first ones are Instagram's. */
  quotaCode: z.enum(["9/2207042", "4/2207042", "613"]).default("9/2207042"),
  /** Whether `threads_publishing_limit` answers. Without it, only the publishing call knows the quota. */
  quotaReadable: z.boolean().default(true),
  /** How many reads after its publication a container still looks as if it were only finished. */
  publishedShowsAfterReads: z.number().default(0),
  /** How many posts an account may publish in 24 hours. */
  postsPerDay: z.number().default(250),
  /** How many posts of a list's page are left out for their privacy. They count in `limit`. */
  hiddenPerPage: z.number().default(0),
});

type ThreadsSwitches = z.output<typeof NewSwitches>;

export type MediaType = "TEXT" | "IMAGE" | "VIDEO" | "CAROUSEL";

export type Container = {
  id: string;
  account: string;
  mediaType: MediaType;
  isCarouselItem: boolean;
  text: string;
  topic?: string;
  linkAttachment?: string;
  /** The other options of the post, as they were given. */
  options: Record<string, unknown>;
  altText?: string;
  replyTo?: string;
  url?: string;
  children: string[];
  polls: number;
  /** Set once the file was fetched and checked. */
  file?: StoredMedia;
  /** The `error_message` once the container has failed. */
  problem?: string;
  createdAt: number;
  publishedAs?: string;
  /** The number of further reads that do not show the publication yet. */
  hiddenReads?: number;
};

export type Media = {
  id: string;
  account: string;
  text: string;
  mediaType: "TEXT_POST" | "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM";
  topic?: string;
  replyTo?: string;
  root?: string;
  shortcode: string;
  permalink: string;
  files: StoredMedia[];
  /** Number of reads. The first response has no permalink. */
  reads: number;
  createdAt: number;
};

export type ThreadsState = {
  world: World;
  codes: Codes;
  grants: Grants;
  containers: Collection<Container>;
  media: Collection<Media>;
  /** Published media of an account, oldest first. */
  mediaOf(account: string): Media[];
  addMedia(media: Media): Media;
  reset(): void;
  /** Running downloads, by container id. */
  processing: Map<string, Promise<void>>;
  switches: Switches<ThreadsSwitches>;
};

export function openState(world: World): ThreadsState {
  const containers = world.collection<Container>("threads.containers");
  const media = world.collection<Media>("threads.media");
  const byAccount = new Map<string, string[]>();
  const switches = createSwitches(NewSwitches);
  for (const kept of media.values()) append(byAccount, kept);
  return {
    world,
    codes: world.codes("threads"),
    grants: world.grants("threads"),
    containers,
    media,
    mediaOf: (account) => (byAccount.get(account) ?? []).flatMap((id) => media.get(id) ?? []),
    addMedia(kept) {
      append(byAccount, kept);
      return media.put(kept.id, kept);
    },
    reset() {
      for (const forgotten of [containers, media, byAccount]) forgotten.clear();
      switches.reset();
    },
    processing: new Map(),
    switches,
  };
}

function append(lists: Map<string, string[]>, { account, id }: Media): void {
  const list = lists.get(account);
  if (list) list.push(id);
  else lists.set(account, [id]);
}

/** App-scoped user id: 17 digits, above 2^53. */
export function userId(name: string): string {
  return stableId(["threads", name], 17_841_400_000_000_000n, 99_999_999_999n);
}

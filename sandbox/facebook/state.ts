import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import type { SlidingWindows } from "../core/rate-limits";
import { slidingWindows } from "../core/rate-limits";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";
import type { RevocationSubcode } from "./errors";

export type Page = { id: string; name: string; tasks: string[] };

/** A user's business portfolio and its Pages. The user may act for Pages that have tasks. */
export type Business = { id: string; account: string; isLocked: boolean; owned: Page[]; clients: Page[] };

export type Photo = {
  id: string;
  page: string;
  file: StoredMedia;
  altText?: string;
  usedBy?: string;
  createdAt: number;
};

export type Video = {
  id: string;
  page: string;
  account: string;
  kind: "feed" | "reel" | "story";
  session?: string;
  sizeBytes?: number;
  received: number;
  file?: StoredMedia;
  /** The problem that processing will report. */
  problem?: { code: number; message: string };
  /** Its status stays "processing" until it is published. */
  isStuck?: boolean;
  /** Its upload is complete only after some status reads. */
  isLate?: boolean;
  polls: number;
  /** The number of reads after which its publication shows. */
  shownAfter?: number;
  text: string;
  postId?: string;
  cover?: StoredMedia;
  createdAt: number;
};

export type PagePost = {
  id: string;
  page: string;
  account: string;
  kind: "status" | "photo" | "album" | "video" | "reel" | "story";
  message: string;
  link?: string;
  mediaId?: string;
  permalink: string;
  createdAt: number;
};

export type FacebookState = {
  world: World;
  codes: Codes;
  grants: Grants;
  /** Scopes and Pages that were declined at consent, by grant. */
  declined: Collection<string[]>;
  /** Permissions that a person declined at an earlier consent, by account. */
  refused: Collection<string[]>;
  revocations: Collection<RevocationSubcode>;
  /** Pages on which a user lost their role, as `account/page`. */
  lostPages: Collection<true>;
  businesses: Collection<Business>;
  photos: Collection<Photo>;
  videos: Collection<Video>;
  posts: Collection<PagePost>;
  postsOf(page: string): PagePost[];
  addPost(post: PagePost): PagePost;
  removePost(post: PagePost): void;
  windows: SlidingWindows;
  /** Issued Page tokens by grant and Page. Each request returns the same token. */
  pageTokens: Map<string, string>;
  /** The Page of each Page token, by token fingerprint. */
  tokenPages: Collection<string>;
  partsOf(video: string): string;
  switches: Switches<z.output<typeof NewSwitches>>;
  reset(): void;
};

/** Settings of the application at Facebook, and behaviour that is not documented, which tests can change. */
const NewSwitches = z.strictObject({
  /** "Require App Secret": every call with a token needs its `appsecret_proof`. A wrong proof is always rejected. */
  requiresProof: z.boolean().default(true),
  /** Whether the permalink of a video has a host. It was reported without one. */
  videoLinkHasHost: z.boolean().default(false),
  /** Whether `auth_type=rerequest` asks again for permissions that the person declined before. */
  asksAgain: z.boolean().default(true),
  /** Whether Facebook redirects with its reason if the app is misconfigured. Otherwise it shows a page. */
  misconfiguredRedirects: z.boolean().default(false),
  /** The deauthorize address in the app's settings. Empty: the field is absent from answers. */
  deauthorizeUrl: z.string().default(""),
  /** The permissions of the app with Advanced Access. */
  advancedAccess: z
    .array(z.string())
    .default([
      ...["pages_show_list", "pages_read_engagement", "pages_manage_posts"],
      ...["pages_manage_engagement", "business_management"],
    ]),
  /** The code of a wrong proof. */
  proofCode: z.literal([100, 190]).default(100),
  /** Whether the errors of codes have the subcodes 36007 to 36009. */
  codesHaveSubcodes: z.boolean().default(true),
  /** The code of a wrong secret. */
  secretCode: z.literal([1, 101]).default(1),
  /** How many photos a post may have. Clients send at most ten. */
  maxPhotos: z.number().default(10),
  /** The unit in which the 63,206 characters of a text are counted. */
  textUnit: z.enum(["UTF-16 units", "code points"]).default("UTF-16 units"),
  /** The largest video. The error table says 2 GB; 10 GB are often quoted. */
  maxVideoBytes: z.number().default(2 * 1024 ** 3),
  /** The code of a video in a format that is not supported. 352 is documented for other uploads. */
  formatCode: z.literal([352, 1363024]).default(352),
  /** The answer to a video that is finished a second time. */
  finishedAgain: z.enum(["success", "error"]).default("success"),
  /** How many reads after its end a video still looks as if it were only uploaded. */
  finishShowsAfterReads: z.number().default(0),
  /** Whether the application has the feature Page Public Metadata Access, or a user's token is enough without it. */
  mayReadPublicPages: z.boolean().default(true),
  /** How many posts of a list's page are left out for their privacy. They count in `limit`. */
  hiddenPerPage: z.number().default(0),
});

export function openState(world: World): FacebookState {
  const photos = world.collection<Photo>("facebook.photos");
  const videos = world.collection<Video>("facebook.videos");
  const posts = world.collection<PagePost>("facebook.posts");
  const windows = slidingWindows(world.clock.now);
  const byPage = new Map<string, PagePost[]>();
  const switches = createSwitches(NewSwitches);
  for (const post of posts.values()) append(byPage, post);
  const folder = path.join(world.dir, "facebook-uploads");
  fs.mkdirSync(folder, { recursive: true });
  return {
    world,
    codes: world.codes("facebook"),
    grants: world.grants("facebook"),
    declined: world.collection("facebook.declined"),
    refused: world.collection("facebook.refused"),
    revocations: world.collection("facebook.deaths"),
    lostPages: world.collection("facebook.left"),
    businesses: world.collection("facebook.businesses"),
    photos,
    videos,
    posts,
    postsOf: (page) => byPage.get(page) ?? [],
    addPost(post) {
      append(byPage, post);
      return posts.put(post.id, post);
    },
    removePost({ id, page }) {
      posts.delete(id);
      const list = byPage.get(page) ?? [];
      byPage.set(
        page,
        list.filter((post) => post.id !== id),
      );
    },
    windows,
    pageTokens: new Map(),
    tokenPages: world.collection("facebook.tokenPages"),
    partsOf: (video) => path.join(folder, video),
    switches,
    reset() {
      for (const forgotten of [photos, videos, posts, byPage, windows]) forgotten.clear();
      switches.reset();
    },
  };
}

function append(lists: Map<string, PagePost[]>, post: PagePost): void {
  const list = lists.get(post.page);
  if (list) list.push(post);
  else lists.set(post.page, [post]);
}

/** App-scoped user id, 17 digits. */
export function userId(name: string): string {
  return stableId(["facebook", name], 10_000_000_000_000_000n, 9_999_999_999_999_999n);
}

const ALL_TASKS = ["ANALYZE", "ADVERTISE", "MODERATE", "CREATE_CONTENT", "MANAGE"];

/** A user's Pages: two that they may post to, and one with read access. */
export function pagesOf(name: string): Page[] {
  const shown = name.charAt(0).toUpperCase() + name.slice(1);
  const id = (which: string) => stableId(["facebook", "page", which, name], 100_000_000_000_000n, 899_999_999_999_999n);
  return [
    { id: id("news"), name: `${shown}'s Page`, tasks: ALL_TASKS },
    { id: id("shop"), name: `${shown}'s Shop`, tasks: ["ANALYZE", "CREATE_CONTENT"] },
    { id: id("club"), name: `${shown}'s old club`, tasks: ["ANALYZE"] },
  ];
}

/** The user's own Pages that were selected at consent and not lost since. */
export function ownPagesOf(state: FacebookState, account: string, grant: string): Page[] {
  return pagesOf(account).filter(isOpen(state, account, grant));
}

/** Like `ownPagesOf`, and also the accessible Pages of the user's businesses. */
export function reachablePagesOf(state: FacebookState, account: string, grant: string): Page[] {
  const businesses = state.businesses.values().filter((one) => one.account === account);
  const businessPages = businesses
    .flatMap(({ owned, clients }) => [...owned, ...clients])
    .filter(({ tasks }) => tasks.length > 0);
  return [...ownPagesOf(state, account, grant), ...businessPages.filter(isOpen(state, account, grant))];
}

function isOpen(state: FacebookState, account: string, grant: string): (page: Page) => boolean {
  const declined = state.declined.get(grant) ?? [];
  return ({ id }) => !declined.includes(id) && !state.lostPages.get(`${account}/${id}`);
}

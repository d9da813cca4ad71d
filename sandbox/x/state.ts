import * as z from "zod";
import { stableId } from "../core/ids";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import { type FixedWindows, fixedWindows } from "../core/rate-limits";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";

/** Behaviour that depends on the application's or the user's account or is not documented, set by `/_control/x/switches`. */
const NewSwitches = z.strictObject({
  /** Whether the application's account has credits. Without credits every call fails. */
  credits: z.boolean().default(true),
  /** Which spelling of the field list `GET /2/users/{id}/tweets` accepts. The guides and the OpenAPI file disagree. */
  fieldLists: z.enum(["both", "post.fields", "tweet.fields"]).default("both"),
  /** Whether the application has an Enterprise plan, with which it may quote posts. */
  enterprise: z.boolean().default(false),
  /** The `subscription_type` of all users. */
  subscription: z.enum(["None", "Basic", "Premium", "PremiumPlus"]).default("None"),
  /** Whether the 25,000 characters of subscribers are weighed like the 280 of others, or each counts once. */
  weighsLongerTexts: z.boolean().default(true),
  /** How long refresh tokens last. X documents no end; ten years are used instead. "Six months" is folklore. */
  refreshSeconds: z.number().default(10 * 365 * 86_400),
  /** Whether a revocation is answered with `{"revoked":true}` or with an empty body. */
  revocationHasBody: z.boolean().default(true),
  /** Whether the callback of a declined consent has an `error`. X does not list its parameters. */
  denialHasError: z.boolean().default(true),
  /** Whether posts that mention others are refused. One report says so. */
  refusesMentions: z.boolean().default(false),
  /** Whether a text of spaces alone is a text. */
  acceptsBlankTexts: z.boolean().default(true),
  /** The status of the refusal of a second cashtag. */
  cashtagStatus: z.literal([400, 403]).default(400),
  /** How many posts an account may publish in 24 hours. 2,400 were documented once. */
  postsPerDay: z.number().default(2400),
  /** How many posts of a timeline's page are reposts. They count in `max_results` even if they are excluded. */
  repostsPerPage: z.number().default(0),
  /** How long X refuses a text that the account has posted. This covers every retry after a lost response. */
  duplicateSeconds: z.number().default(3600),
  /** Whether the same text with other media is a repetition too. */
  duplicatesIgnoreMedia: z.boolean().default(true),
});

export type XSwitches = z.output<typeof NewSwitches>;

export type XMedia = {
  id: string;
  account: string;
  category: string;
  declaredType: string;
  totalBytes: number;
  /** Sizes of the appended segments by index. */
  segments: Record<string, number>;
  state: "uploading" | "pending" | "in_progress" | "succeeded" | "failed";
  /** The problem with which processing will fail. */
  problem?: string;
  kind?: "image" | "gif" | "video";
  file?: { type: string; sizeBytes: number; sha256: string };
  width?: number;
  height?: number;
  durationSeconds?: number;
  altText?: string;
  expiresAt: number;
};

export type XUrl = {
  start: number;
  end: number;
  url: string;
  expanded_url: string;
  display_url: string;
  media_key?: string;
};

export type XPost = {
  id: string;
  account: string;
  authorId: string;
  /** The text as sent. */
  sent: string;
  /** The text as X returns it, with t.co links. */
  text: string;
  urls: XUrl[];
  mediaIds: string[];
  replyTo?: string;
  quoted?: string;
  conversationId: string;
  createdAt: number;
};

/** X's state. */
export type XState = {
  world: World;
  codes: Codes;
  grants: Grants;
  media: Collection<XMedia>;
  posts: Collection<XPost>;
  /** An author's posts, oldest first. */
  postsBy(authorId: string): XPost[];
  recentOf(account: string, since: number): XPost[];
  addPost(post: XPost): XPost;
  removePost(post: XPost): void;
  clearPosts(): void;
  windows: FixedWindows;
  switches: Switches<XSwitches>;
};

export function openState(world: World): XState {
  const posts = world.collection<XPost>("x.posts");
  const byAuthor = new Map<string, XPost[]>();
  const postsBy = (authorId: string) => byAuthor.get(authorId) ?? [];
  function index(post: XPost): void {
    const own = byAuthor.get(post.authorId);
    if (own) own.push(post);
    else byAuthor.set(post.authorId, [post]);
  }
  for (const post of posts.values()) index(post);

  return {
    world,
    codes: world.codes("x"),
    grants: world.grants("x"),
    media: world.collection("x.media"),
    posts,
    postsBy,
    recentOf(account, since) {
      const own = postsBy(userId(account));
      return own.slice(own.findLastIndex((post) => post.createdAt < since) + 1);
    },
    addPost(post) {
      index(post);
      return posts.put(post.id, post);
    },
    removePost(post) {
      posts.delete(post.id);
      byAuthor.set(
        post.authorId,
        postsBy(post.authorId).filter(({ id }) => id !== post.id),
      );
    },
    clearPosts() {
      posts.clear();
      byAuthor.clear();
    },
    windows: fixedWindows(world.clock.now),
    switches: createSwitches(NewSwitches),
  };
}

/** The user id: 19 digits, above 2^53, the same for a name in every sandbox. */
export function userId(name: string): string {
  return stableId(["x", name], 1_000_000_000_000_000_000n, 800_000_000_000_000_000n);
}

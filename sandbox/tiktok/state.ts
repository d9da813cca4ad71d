import { createHash } from "node:crypto";
import * as z from "zod";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type SlidingWindows, slidingWindows } from "../core/rate-limits";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";

/** The application's credentials at this network. */
export const CLIENT = { key: "sandbox-tiktok", secret: "sandbox-tiktok-secret" };

export type PrivacyLevel = "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";

/** A creator's settings, and TikTok's restrictions on the account. */
export type Creator = {
  isPrivate: boolean;
  commentDisabled: boolean;
  duetDisabled: boolean;
  stitchDisabled: boolean;
  maxSeconds: number;
  isBanned: boolean;
};

/** The application's registration at TikTok. */
export type Registration = { isAudited: boolean; verifiedHosts: string[]; webhookUrl?: string };

/** Behaviour on which TikTok's pages disagree or say nothing, set by `/_control/tiktok/switches`. */
const NewSwitches = z.strictObject({
  /** How long an access token lasts: two hours on the newer pages, a day on the older ones. */
  accessSeconds: z.literal([7200, 86_400]).default(7200),
  /** The status of `scope_permission_missed`. */
  missedScopeStatus: z.literal([401, 403]).default(401),
  /** Whether the callback of a declined consent also has `errCode` and `error_type`, as some people report. */
  denialHasErrCode: z.boolean().default(false),
  /** The error of a token endpoint that cannot answer. */
  tokenTrouble: z.enum(["", "server_error", "temporarily_unavailable"]).default(""),
  /** What happens to the fields of a profile whose scope was not granted: an error, or they are left out. */
  fieldsWithoutScope: z.enum(["error", "omitted"]).default("error"),
  /** The form of the addresses of photo posts. */
  photoAddress: z.enum(["photo", "video"]).default("photo"),
  /** What "1080p" means for photos: at most 1080 for the shorter side, with or without 1920 for the longer one. */
  photoLimit: z.enum(["both sides", "shorter side"]).default("both sides"),
  /** The largest chunk, and the largest video in one chunk: what "64 MB" means. */
  maxChunkBytes: z.literal([67_108_864, 64_000_000]).default(67_108_864),
});

type TikTokSwitches = z.output<typeof NewSwitches>;

/** The post of one init call. */
export type PublishTask = {
  id: string;
  account: string;
  grant: string;
  kind: "video" | "photo";
  texts: { title: string; description: string };
  settings: Record<string, unknown>;
  privacyLevel: PrivacyLevel;
  /** It ends in the creator's inbox, where the creator publishes it. */
  isDraft?: true;
  createdAt: number;
  /** For FILE_UPLOAD: the announced chunks and the uploaded bytes. */
  upload?: { id: string; size: number; chunkSize: number; chunks: number; uploaded: number };
  /** For PULL_FROM_URL. */
  urls?: string[];
  files?: StoredMedia[];
  /** When the complete files were checked. */
  processedAt?: number;
  failReason?: string;
  postId?: string;
  /** The status PUBLISH_COMPLETE was returned to a client. */
  isReported?: true;
};

export type TikTokState = {
  world: World;
  codes: Codes;
  grants: Grants;
  publishes: Collection<PublishTask>;
  windows: SlidingWindows;
  creatorOf(account: string): Creator;
  setCreator(account: string, changed: Partial<Creator>): void;
  registration(): Registration;
  register(changed: Partial<Registration>): void;
  /** The account's publishes created after `since`. */
  publishesSince(account: string, since: number): PublishTask[];
  accountsSince(since: number): Set<string>;
  byUpload(uploadId: string): PublishTask | undefined;
  reset(): void;
  /** Running downloads, by publish id. */
  pulling: Map<string, Promise<void>>;
  switches: Switches<TikTokSwitches>;
};

const DEFAULT_CREATOR: Creator = {
  isPrivate: false,
  commentDisabled: false,
  duetDisabled: false,
  stitchDisabled: false,
  maxSeconds: 180,
  isBanned: false,
};
const DEFAULT_REGISTRATION: Registration = { isAudited: true, verifiedHosts: [] };

export function openState(world: World): TikTokState {
  const publishes = world.collection<PublishTask>("tiktok.publishes");
  const creators = world.collection<Creator>("tiktok.creators");
  const registrations = world.collection<Registration>("tiktok.registration");
  const windows = slidingWindows(world.clock.now);
  const switches = createSwitches(NewSwitches);
  const creatorOf = (account: string) => creators.get(account) ?? DEFAULT_CREATOR;
  const registration = () => registrations.get("app") ?? DEFAULT_REGISTRATION;
  const since = (from: number) => publishes.values().filter(({ createdAt }) => createdAt > from);

  return {
    world,
    codes: world.codes("tiktok"),
    grants: world.grants("tiktok"),
    publishes,
    windows,
    creatorOf,
    setCreator: (account, changed) => void creators.put(account, { ...creatorOf(account), ...changed }),
    registration,
    register: (changed) => void registrations.put("app", { ...registration(), ...changed }),
    publishesSince: (account, from) => since(from).filter((publish) => publish.account === account),
    accountsSince: (from) => new Set(since(from).map(({ account }) => account)),
    byUpload: (uploadId) => publishes.values().find(({ upload }) => upload?.id === uploadId),
    reset() {
      for (const forgotten of [publishes, creators, registrations, windows]) forgotten.clear();
      switches.reset();
    },
    pulling: new Map(),
    switches,
  };
}

/** The user's id for this application: a UUID-like string, the same in every sandbox. */
export function openId(name: string): string {
  return idOf("open", name);
}

/** The user's id for all applications of one developer. */
export function unionId(name: string): string {
  return idOf("union", name);
}

function idOf(kind: string, name: string): string {
  const hex = createHash("sha256").update(`tiktok ${kind} ${name}`).digest("hex");
  return `-000${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 24)}`;
}

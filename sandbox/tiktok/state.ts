import { createHash } from "node:crypto";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type MovingWindows, movingWindows } from "../core/rate-limits";
import type { World } from "../core/world";

/** The one application that this network knows. */
export const CLIENT = { key: "sandbox-tiktok", secret: "sandbox-tiktok-secret" };

export type PrivacyLevel = "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";

/** What a creator has chosen in the app, and what TikTok has decided about them. */
export type Creator = {
  isPrivate: boolean;
  commentDisabled: boolean;
  duetDisabled: boolean;
  stitchDisabled: boolean;
  maxSeconds: number;
  isBanned: boolean;
};

/** How TikTok knows the application. */
export type Registration = { isAudited: boolean; verifiedHosts: string[]; webhookUrl?: string };

/** An init call's post: each makes one of its own. */
export type Publish = {
  id: string;
  account: string;
  grant: string;
  kind: "video" | "photo";
  texts: { title: string; description: string };
  settings: Record<string, unknown>;
  privacyLevel: PrivacyLevel;
  createdAt: number;
  /** FILE_UPLOAD: what was announced, and how much is there. */
  upload?: { id: string; size: number; chunkSize: number; chunks: number; uploaded: number };
  /** PULL_FROM_URL. */
  urls?: string[];
  coverIndex?: number;
  files?: StoredMedia[];
  /** All files are here and were looked at. */
  judgedAt?: number;
  failReason?: string;
  postId?: string;
  /** Somebody was told that it is complete. */
  isTold?: true;
};

export type TikTokState = {
  world: World;
  codes: Codes;
  grants: Grants;
  publishes: Collection<Publish>;
  windows: MovingWindows;
  creatorOf(account: string): Creator;
  setCreator(account: string, changed: Partial<Creator>): void;
  registration(): Registration;
  register(changed: Partial<Registration>): void;
  /** An account's init calls since then. */
  publishesSince(account: string, since: number): Publish[];
  accountsSince(since: number): Set<string>;
  byUpload(uploadId: string): Publish | undefined;
  forget(): void;
  /** Downloads that are under way, by publish id. */
  pulling: Map<string, Promise<void>>;
};

const NORMAL: Creator = {
  isPrivate: false,
  commentDisabled: false,
  duetDisabled: false,
  stitchDisabled: false,
  maxSeconds: 180,
  isBanned: false,
};
const AUDITED: Registration = { isAudited: true, verifiedHosts: [] };

export function openState(world: World): TikTokState {
  const publishes = world.collection<Publish>("tiktok.publishes");
  const creators = world.collection<Creator>("tiktok.creators");
  const registrations = world.collection<Registration>("tiktok.registration");
  const windows = movingWindows(world.clock.now);
  const creatorOf = (account: string) => creators.get(account) ?? NORMAL;
  const registration = () => registrations.get("app") ?? AUDITED;
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
    forget() {
      for (const forgotten of [publishes, creators, registrations, windows]) forgotten.clear();
    },
    pulling: new Map(),
  };
}

/** Whose account it is to this application: a UUID-like string, the same in every sandbox. */
export function openId(name: string): string {
  return idOf("open", name);
}

/** The same person to all applications of one developer. */
export function unionId(name: string): string {
  return idOf("union", name);
}

function idOf(kind: string, name: string): string {
  const hex = createHash("sha256").update(`tiktok ${kind} ${name}`).digest("hex");
  return `-000${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 24)}`;
}

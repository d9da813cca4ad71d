import { createHash, randomBytes } from "node:crypto";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import type { World } from "../core/world";

export type Privacy = "public" | "unlisted" | "private";

/** What a person has made of their channel, and what YouTube thinks of it. */
export type Channel = {
  /** A Google account need not have one. */
  exists: boolean;
  /** By phone: longer videos and thumbnails of one's own. */
  isVerified: boolean;
  uploadsPerDay: number;
};

/** The application's own allowance; one that was audited has more than the 100 uploads that everybody starts with. */
export type Project = { insertsPerDay: number; unitsPerDay: number };

export type Video = {
  id: string;
  account: string;
  title: string;
  description: string;
  categoryId: string;
  tags: string[];
  privacy: Privacy;
  madeForKids: boolean;
  file?: StoredMedia;
  durationSeconds: number;
  isShort: boolean;
  uploadedAt: number;
  /** Why processing ends otherwise than well. */
  failureReason?: string;
  rejectionReason?: string;
  thumbnail?: StoredMedia;
};

/** A resumable upload: what it will be, and how much of it is there. */
export type Upload = {
  id: string;
  account: string;
  grant: string;
  video: Omit<Video, "file" | "durationSeconds" | "isShort" | "uploadedAt" | "id">;
  parts: string[];
  size?: number;
  type: string;
  stored: number;
  videoId?: string;
  createdAt: number;
};

export type YouTubeState = {
  world: World;
  codes: Codes;
  grants: Grants;
  /** Who has been asked before: a second consent brings a refresh token only where it is forced. */
  consents: Collection<true>;
  /** Codes that were asked for with `access_type=offline`, by the code. */
  offline: Collection<boolean>;
  uploads: Collection<Upload>;
  videos: Collection<Video>;
  channelOf(account: string): Channel;
  setChannel(account: string, changed: Partial<Channel>): void;
  project(): Project;
  setProject(changed: Partial<Project>): void;
  /** Newest last. */
  videosOf(account: string): Video[];
  /** Uses up a bucket of the Pacific day; false where it is empty. */
  spend(bucket: "inserts" | "units", amount: number): boolean;
  forget(): void;
};

const NORMAL: Channel = { exists: true, isVerified: true, uploadsPerDay: 1000 };
const AUDITED: Project = { insertsPerDay: 100_000, unitsPerDay: 10_000_000 };

export function openState(world: World): YouTubeState {
  const channels = world.collection<Channel>("youtube.channels");
  const projects = world.collection<Project>("youtube.project");
  const uploads = world.collection<Upload>("youtube.uploads");
  const videos = world.collection<Video>("youtube.videos");
  const spent = world.collection<number>("youtube.spent");
  const channelOf = (account: string) => channels.get(account) ?? NORMAL;
  const project = () => projects.get("project") ?? AUDITED;
  return {
    world,
    codes: world.codes("youtube"),
    grants: world.grants("youtube"),
    consents: world.collection("youtube.consents"),
    offline: world.collection("youtube.offline"),
    uploads,
    videos,
    channelOf,
    setChannel: (account, changed) => void channels.put(account, { ...channelOf(account), ...changed }),
    project,
    setProject: (changed) => void projects.put("project", { ...project(), ...changed }),
    videosOf: (account) => videos.values().filter((video) => video.account === account),
    spend(bucket, amount) {
      const key = `${bucket} ${pacificDay(world.clock.now())}`;
      const used = (spent.get(key) ?? 0) + amount;
      const most = bucket === "inserts" ? project().insertsPerDay : project().unitsPerDay;
      if (used > most) return false;
      spent.put(key, used);
      return true;
    },
    forget() {
      for (const forgotten of [uploads, videos, channels, projects, spent]) forgotten.clear();
    },
  };
}

/** Quotas begin anew at midnight in California. */
function pacificDay(now: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" }).format(now);
}

/** `UC` and 22 characters, the same for the same name in every sandbox. */
export function channelId(name: string): string {
  return `UC${createHash("sha256").update(`youtube ${name}`).digest("base64url").slice(0, 22)}`;
}

/** The playlist of all uploads has the channel's id with another beginning. */
export function uploadsPlaylist(name: string): string {
  return channelId(name).replace(/^UC/, "UU");
}

/** Eleven characters. */
export function videoId(): string {
  return randomBytes(9).toString("base64url").slice(0, 11);
}

import { createHash, randomBytes } from "node:crypto";
import * as z from "zod";
import type { Collection } from "../core/journal";
import type { Codes, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";

/** Behaviour that is not documented, set by `/_control/youtube/switches`. */
const NewSwitches = z.strictObject({
  /** Whether the challenge of a web client is checked. Google documents PKCE for installed applications. */
  verifiesPkce: z.boolean().default(true),
  /** How long an upload session lasts. Google's other products end them after about a week. */
  sessionSeconds: z.number().default(7 * 86_400),
  /** Whether the bytes of an upload need the token too. The session's address is enough in practice. */
  uploadsNeedToken: z.boolean().default(false),
  /** The smallest width of a thumbnail. The help pages recommend 640. */
  minThumbnailWidth: z.number().default(0),
  /** The size of the largest accepted video, and the status of the answer to a larger one. */
  maxVideoBytes: z.number().default(256 * 1024 ** 3),
  tooLargeStatus: z.literal([400, 413]).default(413),
});

export type Privacy = "public" | "unlisted" | "private";

/** A user's channel and its limits. */
export type Channel = {
  /** A Google account can have no channel. */
  exists: boolean;
  /** Verified by phone, which allows longer videos and custom thumbnails. */
  isVerified: boolean;
  uploadsPerDay: number;
};

/** The application's daily quota. Audited projects have more than the initial 100 uploads. */
export type Project = { insertsPerDay: number; unitsPerDay: number };

export type Video = {
  id: string;
  account: string;
  title: string;
  description: string;
  categoryId: string;
  tags: string[];
  privacy: Privacy;
  /** What the uploader declared. If absent, the channel's own setting applies. */
  madeForKids?: boolean;
  containsSyntheticMedia?: boolean;
  notifiesSubscribers: boolean;
  captions: Caption[];
  file?: StoredMedia;
  durationSeconds: number;
  isShort: boolean;
  uploadedAt: number;
  /** Why processing fails or the video is rejected. */
  failureReason?: string;
  rejectionReason?: string;
  thumbnail?: StoredMedia;
};

/** A caption track. */
export type Caption = { language: string; name: string; text: string };

/** A user's playlist: its videos in order. */
export type Playlist = { id: string; account: string; title: string; videoIds: string[]; isFull: boolean };

/** A resumable upload: the video's metadata and the number of stored bytes. */
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
  /** Users who consented before. Later consents return a refresh token only if consent is forced. */
  consents: Collection<true>;
  /** Whether a code comes with a refresh token, by code fingerprint. */
  offline: Collection<boolean>;
  uploads: Collection<Upload>;
  videos: Collection<Video>;
  playlists: Collection<Playlist>;
  channelOf(account: string): Channel;
  setChannel(account: string, changed: Partial<Channel>): void;
  project(): Project;
  setProject(changed: Partial<Project>): void;
  /** Newest last. */
  videosOf(account: string): Video[];
  /** Uses quota of the current Pacific day. Returns false if not enough is left. */
  spend(bucket: "inserts" | "units", amount: number): boolean;
  switches: Switches<z.output<typeof NewSwitches>>;
  reset(): void;
};

const DEFAULT_CHANNEL: Channel = { exists: true, isVerified: true, uploadsPerDay: 1000 };
const DEFAULT_PROJECT: Project = { insertsPerDay: 100_000, unitsPerDay: 10_000_000 };

export function openState(world: World): YouTubeState {
  const channels = world.collection<Channel>("youtube.channels");
  const projects = world.collection<Project>("youtube.project");
  const uploads = world.collection<Upload>("youtube.uploads");
  const videos = world.collection<Video>("youtube.videos");
  const playlists = world.collection<Playlist>("youtube.playlists");
  const spent = world.collection<number>("youtube.spent");
  const switches = createSwitches(NewSwitches);
  const channelOf = (account: string) => channels.get(account) ?? DEFAULT_CHANNEL;
  const project = () => projects.get("project") ?? DEFAULT_PROJECT;
  return {
    world,
    codes: world.codes("youtube"),
    grants: world.grants("youtube"),
    consents: world.collection("youtube.consents"),
    offline: world.collection("youtube.offline"),
    uploads,
    videos,
    playlists,
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
    switches,
    reset() {
      for (const forgotten of [uploads, videos, playlists, channels, projects, spent]) forgotten.clear();
      switches.reset();
    },
  };
}

/** Quotas reset at midnight Pacific Time. */
function pacificDay(now: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" }).format(now);
}

/** The channel id: `UC` and 22 characters, the same for a name in every sandbox. */
export function channelId(name: string): string {
  return `UC${createHash("sha256").update(`youtube ${name}`).digest("base64url").slice(0, 22)}`;
}

/** The id of the uploads playlist: the channel id with the prefix `UU`. */
export function uploadsPlaylist(name: string): string {
  return channelId(name).replace(/^UC/, "UU");
}

/** A random video id of eleven characters. */
export function videoId(): string {
  return randomBytes(9).toString("base64url").slice(0, 11);
}

import type { Platform } from "@/lib/platforms";

/** What the API answers (SPEC, "Resources and their fields"; DECISIONS, "Schedules"). */
export type Account = {
  id: number;
  platform: Platform;
  accountId: string;
  accountUsername: string;
  accountDisplayName: string;
  accountAvatarUrl?: string;
  /** People who sign in here never have one that is held. */
  state: "ACTIVE" | "HELD" | "RECONNECT_REQUIRED";
  /** These three in UTC, without an offset. */
  stateTime: string;
  tokenExpiresTime?: string;
  permissionEndsTime?: string;
  stateReason?: string;
};

/** Of `GET /v1/me`, what the pages need; `publishingPaused` only while nothing is published at all. */
export type Me = { publishingPaused?: true; publishingPausedReason?: string };

export type Chat = { id: string; title: string; type: string; platform: Platform };

/** A section of a board. */
export type Section = { id: string; title: string };

/** What an account may choose just now; a setting that is not named is free. */
export type AccountOptions = {
  displayName?: string;
  settings: { [setting: string]: (string | boolean)[] };
  video?: { maxSeconds?: number };
};

export type ScheduleStatus =
  | "DRAFT"
  | "AWAITING_MEDIA"
  | "SCHEDULED"
  | "MEDIA_IMPORT_FAILED"
  | "IN_PROGRESS"
  | "COMPLETED"
  | "PARTIALLY_COMPLETED"
  | "FAILED";

export type PublicationStatus = "PENDING" | "IN_PROGRESS" | "PUBLISHED" | "FAILED" | "UNKNOWN";

export type Post = {
  id: number;
  content?: string;
  attachmentPaths?: string[];
  chatId?: string;
  /** The storage key of a cover. */
  thumbnail?: string;
  status?: PublicationStatus;
  networkPostId?: string;
  permalink?: string;
  publishedTime?: string;
  error?: string;
};

export type Publication = {
  id: number;
  socialMediaAccountId: number;
  platformSettings: { type: string; [setting: string]: string | boolean };
  status: PublicationStatus;
  posts: Post[];
};

export type Schedule = {
  id: number;
  overallStatus: ScheduleStatus;
  scheduledTime?: string;
  publications: Publication[];
  changesRequested?: true;
};

export type SchedulePage = { items: Schedule[]; nextCursor?: string | null };

export type NewSchedule = {
  /** Only a draft may lack it. */
  scheduledTime?: string;
  isDraft: boolean;
  publications: {
    socialMediaAccountId: number;
    platformSettings: { type: string; [setting: string]: string | boolean };
    posts: { content: string; attachmentPaths: string[]; chatId?: string; thumbnailPath?: string }[];
  }[];
};

/** What was tried for a publication and what came of it, oldest first. */
export type Attempt = {
  postId: number;
  outcome: "PUBLISHED" | "WAITING" | "RETRYING" | "LOOKING" | "FAILED" | "UNKNOWN";
  message: string;
  startTime: string;
  endTime: string;
  times: number;
  answer?: { status: number; code?: string; message?: string };
  nextAttemptTime?: string;
};

export type Receipt = { id: number; publications: { id: number; nextAttemptTime?: string; story: Attempt[] }[] };

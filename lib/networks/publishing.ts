import type { FileKind } from "./limits";
import type { NetworkSession } from "./session";

/**
 * The run of a publication, which records completed steps. A later attempt skips recorded steps, so a publish function is
 * written as if it ran once, from top to bottom.
 */
export type Run = NetworkSession & {
  /** Runs repeatable work; its result (JSON) is recorded. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Whether an earlier attempt completed the step of this name. */
  isDone(name: string): boolean;
  /**
   * Makes the call that cannot be undone, at most once: an intent is stored before it. If the answer is lost, `find` looks up
   * the post; without `find` the post ends as UNKNOWN and is never sent again automatically.
   * @param work is told whether it repeats a call whose answer was lost: then a refusal does not show that nothing was published
   */
  commit<T>(name: string, work: (isRepeated: boolean) => Promise<T>, recovery?: Recovery<T>): Promise<T>;
  /**
   * Calls `check` until it returns a value. Undefined means "check again later" and does not count as an attempt.
   * @param after `commit`: the final call was accepted, so a post that stays pending for too long ends as UNKNOWN
   */
  poll<T>(name: string, check: () => Promise<T | undefined>, after?: "commit"): Promise<T>;
};

/**
 * How to find out whether a call took effect whose answer was lost. A handle (a container, a chosen key) identifies the post. A
 * network without handles lists posts, and `lookalikes` says which of them look the same.
 */
export type Recovery<T> = {
  /**
   * Looks up the post that the lost call may have created: undefined if the network does not have it.
   * @throws PlatformError if the network cannot be read; `ReadBackImpossible` if it can never tell
   */
  find(lookup: Lookup): Promise<T | undefined>;
  /** Required if `find` calls `identify`. */
  lookalikes?: Lookalikes;
  /** The call carries a handle, so it can be repeated safely if nothing was found. */
  repeatable?: boolean;
};

type Lookalikes = {
  /** Everything that the lookup compares, as JSON. Two posts of one account or destination look the same if it is equal. */
  likeness: unknown;
  /** Lists the network's posts since then that look the same. It is read before the call too. Absent: there is no list. */
  list?(from: Date): Promise<Lookalike[]>;
  /** Finds a post without its handle, after a restore. It only reads. Absent: the network cannot be searched. */
  search?(from: Date): Promise<Searched>;
};

/** `isWhole`: the network showed everything since then, so a post that it does not show does not exist. */
export type Searched = { listed: Lookalike[]; isWhole: boolean };

/** A post that a network lists and that looks the same as the post that is looked up. */
export type Lookalike = {
  id: string;
  permalink?: string;
  /** By the network's clock. Absent: the network does not report it. */
  createdAt?: Date;
  /** It has the handle of the lost call, so it cannot be older. */
  hasHandle?: true;
};

export type Lookup = {
  /** When the intent was stored, and the earliest creation time that the clocks' difference allows. */
  since: Date;
  from: Date;
  /**
   * Returns the one listed post that the lost call created, and reserves its ID for this post; undefined if there is none.
   * @throws PlatformError `later` if a listed post may be another one
   */
  identify(listed: Lookalike[]): Promise<Published | undefined>;
};

/** A post as known at schedule time. */
export type PlannedPost<S> = {
  content: string;
  settings: S;
  media: PlannedMedia[];
  thumbnail?: PlannedMedia;
  /** It replies to the previous post of a thread, so settings of the thread's first post do not apply. */
  isReply?: boolean;
};

/** A stored file as known at schedule time: displayed pixels and seconds, if known. */
export type PlannedMedia = Pick<
  OutgoingMedia,
  "kind" | "contentType" | "width" | "height" | "durationSeconds" | "frames" | "pages"
> & {
  /** Absent for a video that is created from an animation when it is sent. */
  sizeBytes?: number;
};

export type OutgoingPost<S> = {
  content: string;
  media: OutgoingMedia[];
  settings: S;
  /** Destination on the network, if it has destinations. */
  chatId?: string;
  thumbnail?: OutgoingMedia;
  /** Index of the thumbnail in `media`, if it is one of them. */
  coverIndex?: number;
  /** The previous post of the same publication, already published. */
  after?: Published;
};

/** The first comment of a publication, or the first reply. */
export type OutgoingComment<S> = {
  text: string;
  /** The settings of the publication. */
  settings: S;
  /** The last post of the publication. */
  on: Published;
  /** Destination on the network, if it has destinations. */
  chatId?: string;
};

export type OutgoingMedia = {
  kind: FileKind;
  contentType: string;
  sizeBytes: number;
  filename: string;
  /** Displayed pixels and seconds, if known. */
  width?: number;
  height?: number;
  durationSeconds?: number;
  /** Number of frames of an animated image. */
  frames?: number;
  /** Number of pages of a document. */
  pages?: number;
  /** Alternative text for people who cannot see the media. */
  altText?: string;
  /** Opens the stored bytes, or a range of them (`last` is included). */
  open(range?: { first: number; last: number }): Promise<ReadableStream<Uint8Array>>;
  /** Returns a signed address from which the network can fetch the file; a new one for each call. */
  publicUrl(): Promise<string>;
};

/** The published post. IDs are strings exactly as received (some exceed 2^53). */
export type Published = {
  id: string;
  permalink?: string;
  /** The network has accepted it, but a person must publish it there. `note` says how. */
  isDraft?: true;
  /** A sentence for the user if the network did something different from the request. */
  note?: string;
};

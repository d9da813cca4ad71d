import type { Session } from "./network";

/**
 * A publication's memory. Whatever is remembered is skipped on the next attempt, so a publish function is written as if
 * it ran once, from top to bottom.
 */
export type Run = Session & {
  /** Repeatable work; its result (JSON) is remembered. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Whether an attempt before this one came to the end of the step of this name. */
  isDone(name: string): boolean;
  /**
   * The call that cannot be taken back, made at most once: an intent is stored before it. After a lost answer the network
   * is read with `find`; without a way to tell, the post ends as UNKNOWN and is never sent again by itself.
   */
  commit<T>(name: string, work: () => Promise<T>, recovery?: Recovery<T>): Promise<T>;
  /**
   * Asks until `check` returns something; undefined means "come back later" and uses up no attempt.
   * @param after `commit`: the final call was accepted, so a post that is asked about for too long ends as UNKNOWN
   */
  poll<T>(name: string, check: () => Promise<T | undefined>, after?: "commit"): Promise<T>;
};

export type Recovery<T> = {
  /**
   * Looks for what the lost call may have made: a unique match, or undefined where the network shows nothing.
   * `since` is when the intent was stored. Throws where the network cannot be read.
   */
  find(since: Date): Promise<T | undefined>;
  /** The call carries a handle (a container, a chosen key) that makes a repeat harmless once the network shows nothing. */
  repeatable?: boolean;
};

/** A post as it is known at schedule time. */
export type PlannedPost<S> = { content: string; settings: S; media: PlannedMedia[]; thumbnail?: PlannedMedia };

/** A stored file as it is known at schedule time: pixels as shown, seconds, where known. */
export type PlannedMedia = Pick<
  OutgoingMedia,
  "kind" | "contentType" | "width" | "height" | "durationSeconds" | "frames"
> & {
  /** Absent of a film that is made only when it is sent. */
  sizeBytes?: number;
};

export type OutgoingPost<S> = {
  content: string;
  media: OutgoingMedia[];
  settings: S;
  /** Destination on the network, where it has any. */
  chatId?: string;
  thumbnail?: OutgoingMedia;
  /** Which of `media` the thumbnail is, where it is one of them. */
  coverIndex?: number;
  /** The post before this one in the same publication, already out. */
  after?: Published;
};

export type OutgoingMedia = {
  kind: "image" | "video";
  contentType: string;
  sizeBytes: number;
  filename: string;
  /** Pixels as shown, and seconds, where known. */
  width?: number;
  height?: number;
  durationSeconds?: number;
  /** Pictures in the file, where it is an image that moves. */
  frames?: number;
  /** What it shows, in words, for people who cannot see it. */
  altText?: string;
  /** The stored bytes, or a range of them (last byte included). */
  open(range?: { first: number; last: number }): Promise<ReadableStream<Uint8Array>>;
  /** A signed address from which a network may fetch the file; a new one at each call. */
  publicUrl(): Promise<string>;
};

/** What the network made. Ids are strings, exactly as given (some exceed 2^53). */
export type Published = {
  id: string;
  permalink?: string;
  /** What the network did otherwise than it was asked, as a sentence for the post's story. */
  note?: string;
};

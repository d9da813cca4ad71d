import { z } from "zod";
import { normalized } from "../text";
import type { OutgoingComment, OutgoingPost, Published } from "./publishing";

/** The setting of every network that takes a first comment. Rival products call it the same (ADR 39). */
export const firstComment = z
  .string()
  .optional()
  .meta({ description: "Published as the first comment on the post, or as the first reply to it" });

/** Returns a first reply as the next post of a thread, for networks where it is one. */
export function replyOf<S>({ text, on, chatId }: OutgoingComment, settings: S): OutgoingPost<S> {
  return { content: text, media: [], settings, chatId, after: on };
}

/** A comment that a network lists under our post. `isOwn`: our account wrote it. */
export type ListedComment = Published & { text: string; createdAt: Date; isOwn: boolean };

/**
 * Finds the comment that a lost call created: our account wrote it under our post, with this text, and not before the call. So it
 * can be no comment of another publication. Networks may change white space.
 */
export function findComment(listed: ListedComment[], text: string, from: Date): Published | undefined {
  const plain = (some: string) => normalized(some).replace(/\s+/g, " ").trim();
  const ours = plain(text);
  const found = listed.find((one) => one.isOwn && one.createdAt >= from && plain(one.text) === ours);
  return found && { id: found.id, permalink: found.permalink };
}

import { z } from "zod";
import { plainText } from "../text";
import type { OutgoingComment, OutgoingPost, Published, Recovery } from "./publishing";

/** The setting of every network that takes a first comment. Rival products call it the same (ADR 39). */
export const firstComment = z
  .string()
  .optional()
  .meta({ description: "Published as the first comment on the post, or as the first reply to it" });

/** Returns a first reply as the next post of a thread, for networks where it is one. */
export function replyOf<S>({ text, on, chatId }: Omit<OutgoingComment<S>, "settings">, settings: S): OutgoingPost<S> {
  return { content: text, media: [], settings, chatId, after: on };
}

/** A comment that a network lists under our post. `isOwn`: our account wrote it. */
export type ListedComment = Published & { text: string; createdAt: Date; isOwn: boolean };

/**
 * Returns how to find the comment that a lost call created. Like a post, it must look the same and must not have been listed
 * before the call (`chooseLookalike`): our account wrote it under our post, with this text. Networks may change white space.
 */
export function commentRecovery(
  { text, on }: Pick<OutgoingComment<unknown>, "text" | "on">,
  readNewest: () => Promise<ListedComment[]>,
): Recovery<Published> {
  const ours = plainText(text);
  const list = async () => (await readNewest()).filter((one) => one.isOwn && plainText(one.text) === ours);
  return {
    find: async ({ identify }) => identify(await list()),
    lookalikes: { likeness: ["comment", on.id, ours], list },
  };
}

import type { Collection } from "./journal";

export type KeptMedia = { type: string; sizeBytes: number; sha256: string };

/** A post as the network holds it; the shape that `/_control/posts` answers. */
export type Post = {
  id: string;
  network: string;
  account: string;
  text: string;
  media: KeptMedia[];
  chatId?: string;
  replyTo?: string;
  settings: Record<string, unknown>;
  permalink: string;
  receivedTime: string;
};

export type Posts = {
  add(post: Post): Post;
  /** A deleted post leaves the ledger, as it leaves the network. */
  remove(network: string, id: string, chatId?: string): void;
  list(network?: string): Post[];
  clear(): void;
};

export function postKey(post: Pick<Post, "network" | "id" | "chatId">): string {
  return [post.network, ...(post.chatId ? [post.chatId] : []), post.id].join("-");
}

export function openPosts(kept: Collection<Post>): Posts {
  return {
    add: (post) => kept.put(postKey(post), post),
    remove: (network, id, chatId) => kept.delete(postKey({ network, id, chatId })),
    list: (network) => kept.values().filter((post) => network === undefined || post.network === network),
    clear: () => kept.clear(),
  };
}

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Collection } from "./journal";

export type Blobs = { store(bytes: Uint8Array, type: string): StoredMedia; read(sha256: string): Buffer | undefined };

/** Stores media files by SHA-256, each once. */
export function openBlobs(dir: string): Blobs {
  fs.mkdirSync(dir, { recursive: true });
  return {
    store(bytes, type) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const file = path.join(dir, sha256);
      if (!fs.existsSync(file)) {
        fs.writeFileSync(`${file}.new`, bytes);
        fs.renameSync(`${file}.new`, file);
      }
      return { type, sizeBytes: bytes.byteLength, sha256 };
    },
    read(sha256) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
      const file = path.join(dir, sha256);
      return fs.existsSync(file) ? fs.readFileSync(file) : undefined;
    },
  };
}

export type StoredMedia = { type: string; sizeBytes: number; sha256: string };

/** A published post, in the shape that `/_control/posts` returns. */
export type Post = {
  id: string;
  network: string;
  account: string;
  text: string;
  media: StoredMedia[];
  chatId?: string;
  replyTo?: string;
  settings: Record<string, unknown>;
  permalink: string;
  receivedTime: string;
};

export type Posts = {
  add(post: Post): Post;
  /** Removes a deleted post, so it no longer shows in the feed or the control API. */
  remove(network: string, id: string, chatId?: string): void;
  list(network?: string): Post[];
  clear(): void;
};

export function postKey(post: Pick<Post, "network" | "id" | "chatId">): string {
  return [post.network, ...(post.chatId ? [post.chatId] : []), post.id].join("-");
}

export function openPosts(stored: Collection<Post>): Posts {
  return {
    add: (post) => stored.put(postKey(post), post),
    remove: (network, id, chatId) => stored.delete(postKey({ network, id, chatId })),
    list: (network) => stored.values().filter((post) => network === undefined || post.network === network),
    clear: () => stored.clear(),
  };
}

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { DigestAnswer, DigestRequest } from "./digest";

/**
 * The thread that digests files while they are being written (`digest.ts`): it reads behind the writer, from the memory in
 * which the system still holds the pages, so no byte is handed from thread to thread.
 */
type Following = { fd: number; at: number; hash: ReturnType<typeof createHash> };

const followed = new Map<number, Following>();
const buffer = Buffer.allocUnsafeSlow(262_144);

function follow(path: string): Following {
  return { fd: openSync(path, "r"), at: 0, hash: createHash("blake2b512") };
}

function readUpTo(file: Following, bytes: number): void {
  while (file.at < bytes) {
    const count = readSync(file.fd, buffer, 0, Math.min(buffer.length, bytes - file.at), file.at);
    if (count === 0) throw new Error("the file is shorter than what was written to it");
    file.hash.update(buffer.subarray(0, count));
    file.at += count;
  }
}

function drop(id: number): void {
  const file = followed.get(id);
  if (file) closeSync(file.fd);
  followed.delete(id);
}

parentPort?.on("message", ({ id, path, bytes, next }: DigestRequest) => {
  if (next === "drop") return drop(id);
  try {
    const file = followed.get(id) ?? follow(path);
    followed.set(id, file);
    readUpTo(file, bytes);
    if (next === "go on") return;
    answer({ id, digest: file.hash.digest() });
  } catch (error) {
    answer({ id, error: String(error) });
  }
  drop(id);
});

function answer(message: DigestAnswer): void {
  parentPort?.postMessage(message);
}

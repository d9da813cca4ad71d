import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { DigestAnswer, DigestRequest } from "./digest";

/**
 * The thread that computes digests of files while they are written (see `digest.ts`). It reads behind the writer, from the
 * page cache, so that no bytes are copied between threads.
 */
type OpenFile = { fd: number; at: number; hash: ReturnType<typeof createHash> };

const openFiles = new Map<number, OpenFile>();
const buffer = Buffer.allocUnsafeSlow(262_144);

function openFile(path: string): OpenFile {
  return { fd: openSync(path, "r"), at: 0, hash: createHash("blake2b512") };
}

function readUpTo(file: OpenFile, bytes: number): void {
  while (file.at < bytes) {
    const count = readSync(file.fd, buffer, 0, Math.min(buffer.length, bytes - file.at), file.at);
    if (count === 0) throw new Error("the file is shorter than the number of bytes written");
    file.hash.update(buffer.subarray(0, count));
    file.at += count;
  }
}

function drop(id: number): void {
  const file = openFiles.get(id);
  if (file) closeSync(file.fd);
  openFiles.delete(id);
}

parentPort?.on("message", ({ id, path, bytes, next }: DigestRequest) => {
  if (next === "drop") return drop(id);
  try {
    const file = openFiles.get(id) ?? openFile(path);
    openFiles.set(id, file);
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

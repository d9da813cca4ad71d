import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { perProcess } from "../db/per-process";

export type DigestRequest = { id: number; path: string; bytes: number; next: "go on" | "answer" | "drop" };
export type DigestAnswer = { id: number } & ({ digest: Uint8Array } | { error: string });

/** BLAKE2b-512 (RFC 7693) of a file that may still be growing. */
export type FileDigest = {
  /** So many bytes are in the file by now. */
  reached(bytes: number): void;
  /** The digest of the file's first `bytes` bytes, which are all there. */
  end(bytes: number): Promise<Buffer>;
  /** Nobody needs it any more; harmless after the end. */
  drop(): void;
};

type Waiting = { resolve(digest: Buffer): void; reject(error: Error): void };
type Thread = { post(request: DigestRequest): void; wait(id: number): Promise<Buffer> };

let lastId = 0;

/** Begins to digest a file in a thread of its own, so that neither the network nor other requests wait for it. */
export function startDigest(path: string): FileDigest {
  const thread = threads().current();
  lastId += 1;
  const id = lastId;
  let isOver = false;
  const over = (next: "answer" | "drop", bytes: number) => {
    if (isOver) return;
    isOver = true;
    thread.post({ id, path, bytes, next });
  };
  return {
    reached(bytes) {
      if (!isOver) thread.post({ id, path, bytes, next: "go on" });
    },
    end(bytes) {
      const digest = thread.wait(id);
      over("answer", bytes);
      return digest;
    },
    drop: () => over("drop", 0),
  };
}

/** One thread for the whole process, started when it is first needed and again should it have ended. */
const threads = () =>
  perProcess("storage.digests", () => {
    let thread: Thread | undefined;
    return {
      current(): Thread {
        thread ??= startThread(() => {
          thread = undefined;
        });
        return thread;
      },
    };
  });

function startThread(ended: () => void): Thread {
  const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
  const worker = new Worker(resolve("dist/digest-thread.js"), { resourceLimits: limits });
  const waiting = new Map<number, Waiting>();
  const end = (reason: Error) => {
    ended();
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  worker.unref(); // it ends with the process
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the thread that digests has ended")));
  worker.on("message", (message: DigestAnswer) => {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiting.size === 0) worker.unref();
    if ("digest" in message) asked?.resolve(Buffer.from(message.digest));
    else asked?.reject(new Error(message.error));
  });
  return {
    post: (request) => worker.postMessage(request),
    wait(id) {
      worker.ref();
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
  };
}

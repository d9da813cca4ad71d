import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { perProcess } from "../db/per-process";

export type DigestRequest = { id: number; path: string; bytes: number; next: "go on" | "answer" | "drop" };
export type DigestAnswer = { id: number } & ({ digest: Uint8Array } | { error: string });

/** The BLAKE2b-512 digest (RFC 7693) of a file that may still grow. */
export type FileDigest = {
  /** Reports how many bytes the file has now. */
  reached(bytes: number): void;
  /** Returns the digest of the file's first `bytes` bytes, which must have been written. */
  end(bytes: number): Promise<Buffer>;
  /** Stops without a digest. Does nothing after `end`. */
  drop(): void;
};

type Waiting = { resolve(digest: Buffer): void; reject(error: Error): void };
type Thread = { post(request: DigestRequest): void; wait(id: number): Promise<Buffer> };

let lastId = 0;

/** Starts to compute the digest of a file in a separate thread, so that other requests do not wait for it. */
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

/** One thread per process. It is started when it is first needed, and again if it ended. */
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
  let endReason: Error | undefined;
  const end = (reason: Error) => {
    endReason ??= reason;
    ended();
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  worker.unref(); // the thread must not keep the process alive
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the digest thread ended")));
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
      // The digest may have been started before the thread ended, so no answer would come.
      if (endReason) return Promise.reject(endReason);
      worker.ref();
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
  };
}

import path from "node:path";
import { type Calls, openCalls } from "./calls";
import { type Faults, openFaults } from "./faults";
import { createIds, type Ids } from "./ids";
import { type Collection, openJournal } from "./journal";
import { type Codes, type Grants, openCodes, openGrants } from "./oauth";
import { type Blobs, openBlobs, openPosts, type Posts } from "./posts";
import { openUsers, type Users } from "./users";

/** The sandbox's state and clock, shared by all networks. */
export type World = {
  dir: string;
  clock: Clock;
  ids: Ids;
  users: Users;
  posts: Posts;
  calls: Calls;
  faults: Faults;
  blobs: Blobs;
  collection<T>(name: string): Collection<T>;
  transaction<R>(work: () => R): R;
  grants(network: string): Grants;
  codes(network: string): Codes;
  /** Aborted when the sandbox stops: answers that a fault or a long poll delays are not sent any more. */
  stopping: AbortSignal;
  stopWaiting(): void;
  close(): void;
};

export function openWorld(dir: string): World {
  const journal = openJournal(path.join(dir, "state.jsonl"));
  const callJournal = openJournal(path.join(dir, "calls.jsonl"));
  const { collection } = journal;
  const clock = openClock(collection("clock"));
  const stopping = new AbortController();
  return {
    dir,
    clock,
    ids: createIds(clock.now),
    users: openUsers(collection("people")),
    posts: openPosts(collection("posts")),
    calls: openCalls(callJournal),
    faults: openFaults(collection("faults")),
    blobs: openBlobs(path.join(dir, "media")),
    collection,
    transaction: journal.transaction,
    grants: (network) => openGrants(collection(`${network}.grants`), collection(`${network}.tokens`), clock.now),
    codes: (network) => openCodes(collection(`${network}.codes`), clock.now),
    stopping: stopping.signal,
    stopWaiting: () => stopping.abort(),
    close() {
      clock.close();
      journal.close();
      callJournal.close();
    },
  };
}

type Clock = {
  /** Milliseconds since 1970 by the sandbox's own clock. */
  now(): number;
  /** Moves the clock forward and wakes everything that was waiting for the skipped time. */
  advance(seconds: number): void;
  /** Resolves when the time has passed, whether it elapsed or the clock was advanced, or when one of the signals aborts. */
  wait(seconds: number, ...signals: AbortSignal[]): Promise<void>;
  close(): void;
};

type Waiter = { due: number; timer: NodeJS.Timeout; wake: () => void };

/** The system clock plus an offset that survives restarts. */
function openClock(settings: Collection<number>): Clock {
  const waiters = new Set<Waiter>();
  const now = () => Date.now() + (settings.get("offset") ?? 0);

  return {
    now,
    advance(seconds) {
      settings.put("offset", (settings.get("offset") ?? 0) + seconds * 1000);
      for (const waiter of [...waiters]) if (waiter.due <= now()) waiter.wake();
    },
    wait(seconds, ...signals) {
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(waiter.timer);
          waiters.delete(waiter);
          for (const signal of signals) signal.removeEventListener("abort", wake);
          resolve();
        };
        const waiter: Waiter = { due: now() + seconds * 1000, timer: setTimeout(wake, seconds * 1000), wake };
        waiters.add(waiter);
        for (const signal of signals) signal.addEventListener("abort", wake);
        if (signals.some(({ aborted }) => aborted)) wake();
      });
    },
    close() {
      for (const waiter of [...waiters]) waiter.wake();
    },
  };
}

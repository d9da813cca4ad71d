import path from "node:path";
import { type Calls, openCalls } from "./calls";
import { type Clock, openClock } from "./clock";
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
  close(): void;
};

export function openWorld(dir: string): World {
  const journal = openJournal(path.join(dir, "state.jsonl"));
  const callJournal = openJournal(path.join(dir, "calls.jsonl"));
  const { collection } = journal;
  const clock = openClock(collection("clock"));
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
    close() {
      clock.close();
      journal.close();
      callJournal.close();
    },
  };
}

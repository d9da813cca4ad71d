import path from "node:path";
import { type Blobs, openBlobs } from "./blobs";
import { type Calls, openCalls } from "./calls";
import { type Clock, openClock } from "./clock";
import { type Codes, openCodes } from "./codes";
import { type Faults, openFaults } from "./faults";
import { type Grants, openGrants } from "./grants";
import { growingIds, type Ids } from "./ids";
import { type Collection, openJournal } from "./journal";
import { openPeople, type People } from "./people";
import { openPosts, type Posts } from "./posts";

/** Everything that the sandbox remembers, and the time it lives in. */
export type World = {
  dir: string;
  clock: Clock;
  ids: Ids;
  people: People;
  posts: Posts;
  calls: Calls;
  faults: Faults;
  blobs: Blobs;
  collection<T>(name: string): Collection<T>;
  together<R>(work: () => R): R;
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
    ids: growingIds(clock.now),
    people: openPeople(collection("people")),
    posts: openPosts(collection("posts")),
    calls: openCalls(callJournal),
    faults: openFaults(collection("faults")),
    blobs: openBlobs(path.join(dir, "media")),
    collection,
    together: journal.together,
    grants: (network) => openGrants(collection(`${network}.grants`), collection(`${network}.tokens`), clock.now),
    codes: (network) => openCodes(collection(`${network}.codes`), clock.now),
    close() {
      clock.close();
      journal.close();
      callJournal.close();
    },
  };
}

import { onAccessChanged } from "../../access";
import { listenOn } from "../../db/listen";
import { log } from "../../log";
import { once } from "../../once";
import { sessionOf } from "../../users";
import { readLog } from "../../webhooks";
import { messageOf, type Stream } from "./stream";

/** Proxies cut connections that are silent for half a minute or more. */
const BEAT_MS = 15_000;
/** After the database was lost: by then somebody listens again, or the next beat makes up for it. */
const AFTER_LOSS_MS = 2_000;
const BATCH = 100;

type Hub = { streams: Set<Stream>; readers: Map<Stream, Promise<void>> };

/** Every stream of this process, whichever bundle opened it; it listens from the first one on. */
const hub = once<Hub>("live.hub", () => ({ streams: new Set(), readers: new Map() }));

export function streamsOf(ownerId: string): Stream[] {
  return [...hub.streams].filter((stream) => stream.ownerId === ownerId);
}

/** From now on this stream is told what happens, from its place on, until it ends. */
export function join(stream: Stream): void {
  hub.streams.add(stream);
  listening();
  tell(stream);
}

export function leave(stream: Stream): void {
  hub.streams.delete(stream);
}

/** Ends every stream of this process: browsers open them again, at another process or the next one here. */
export function endLiveStreams(): void {
  for (const stream of hub.streams) stream.close();
}

function listening(): void {
  once("live.listening", () => {
    listenOn("live", {
      notice: (owners) => {
        const told = new Set(owners.split(","));
        for (const stream of hub.streams) if (told.has(stream.ownerId)) tell(stream);
      },
      lost: () => setTimeout(tellAll, AFTER_LOSS_MS).unref(),
    });
    listenOn("access_changed", {
      notice: accessOf,
      lost: () => setTimeout(() => hub.streams.forEach(recheck), AFTER_LOSS_MS).unref(),
    });
    onAccessChanged(accessOf);
    return setInterval(beat, BEAT_MS).unref();
  });
}

function beat(): void {
  for (const stream of hub.streams) {
    stream.write(": still here\n\n");
    recheck(stream);
  }
  tellAll();
}

function tellAll(): void {
  for (const stream of hub.streams) tell(stream);
}

/** Tells a stream what it has not been told; whoever asks while that is under way has it done once more after. */
function tell(stream: Stream): void {
  const before = hub.readers.get(stream) ?? Promise.resolve();
  const mine = before
    .then(() => readOn(stream))
    .catch((error) => log.warn({ error: String(error) }, "a dashboard could not be told what happened"))
    .finally(() => {
      if (hub.readers.get(stream) === mine) hub.readers.delete(stream);
    });
  hub.readers.set(stream, mine);
}

async function readOn(stream: Stream): Promise<void> {
  while (hub.streams.has(stream)) {
    const { items, hasMore } = await readLog({ ownerId: stream.ownerId }, { since: stream.place, limit: BATCH });
    for (const { type, xid, id } of items) {
      stream.place = [xid, id];
      stream.write(messageOf(type, stream.place));
    }
    if (!hasMore) return;
  }
}

/** A session has ended, or something about a person has changed. */
function accessOf(id: string): void {
  for (const stream of hub.streams) {
    if (stream.sessionId === id) stream.close();
    else if (stream.ownerId === id) recheck(stream);
  }
}

/** Ends a stream whose session is none any more; while the database is away nobody can tell. */
function recheck(stream: Stream): void {
  sessionOf(stream.headers).then(
    (session) => {
      const isGood = session && !session.user.suspended && !session.user.deleting;
      if (!isGood) stream.close();
    },
    () => {},
  );
}

import type { Client } from "pg";
import { beforeClosing, dedicatedConnection } from "./index";
import { perProcess } from "./per-process";

const BEAT_MS = 300;
/** Nobody may rely on a listener that has not heard from the database for so long. */
const TRUST_MS = 900;
const PATIENCE_MS = 2_000;

type Hears = {
  notice(payload: string): void;
  /** The connection broke: whatever was announced until the next one was missed. */
  lost(): void;
};

type Listener = {
  /** Whether every notice has been heard but those of the last moment. */
  isLive(): boolean;
  /** Asks again where a busy process came too late to hear the answer; false where nothing is listening. */
  catchUp(): Promise<boolean>;
};

const shared = perProcess<{ ear?: Ear }>("db.ear", () => ({}));

/** Listens on a channel (NOTIFY), on the one connection that this process has for all of them. */
export function listenOn(channel: string, hears: Hears): Listener {
  shared.ear ??= openEar(() => {
    shared.ear = undefined;
  });
  return shared.ear.listen(channel, hears);
}

type Ear = { listen(channel: string, hears: Hears): Listener };

/**
 * A connection of its own for notices, made anew when it breaks. The database sends the notices that are due before it
 * answers a query, so a short query every moment proves that none is missing.
 */
function openEar(onClosed: () => void): Ear {
  const channels = new Map<string, Set<Hears>>();
  /** The channels that the connection of this moment listens on. */
  const heard = new Set<string>();
  let client: Client | undefined;
  let asking: Promise<void> | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<Client> {
    const opened = await dedicatedConnection("listen");
    opened.on("error", () => lose(opened));
    opened.on("end", () => lose(opened));
    opened.on("notification", ({ channel, payload }) => {
      for (const hears of channels.get(channel) ?? []) hears.notice(payload ?? "");
    });
    client = opened;
    if (closed) await opened.end();
    return opened;
  }

  function lose(broken: Client | undefined): void {
    if (client !== broken) return;
    client = undefined;
    heardAt = Number.NEGATIVE_INFINITY;
    heard.clear();
    for (const all of channels.values()) for (const hears of all) hears.lost();
    broken?.end().catch(() => {});
  }

  async function ask(): Promise<void> {
    try {
      const asked = performance.now();
      const current = client ?? (await open());
      const fresh = [...channels.keys()].filter((channel) => !heard.has(channel));
      for (const channel of fresh) await inTime(current.query(`listen ${channel}`));
      await inTime(current.query("select 1"));
      for (const channel of fresh) heard.add(channel);
      heardAt = asked;
    } catch {
      lose(client);
    }
    asking = undefined;
  }

  /** Whoever asks while a question is on its way waits for its answer. */
  function hear(): Promise<void> {
    asking ??= ask();
    return asking;
  }

  async function beat(): Promise<void> {
    await hear();
    if (!closed) timer = setTimeout(beat, BEAT_MS).unref();
  }

  beforeClosing(async () => {
    closed = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
    onClosed();
  });

  let isBeating = false;
  return {
    listen(channel, hears) {
      const all = channels.get(channel) ?? new Set();
      channels.set(channel, all.add(hears));
      if (!isBeating) void beat();
      isBeating = true;
      const isLive = () => heard.has(channel) && performance.now() - heardAt < TRUST_MS;
      return {
        isLive,
        async catchUp() {
          if (!heard.has(channel)) return false;
          await hear();
          return isLive();
        },
      };
    },
  };
}

/** A connection that died without a word answers nothing, ever. */
async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the database does not answer")), PATIENCE_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

import type { Client } from "pg";
import { beforeClosing, dedicatedConnection } from "./index";

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

/**
 * Listens on a channel (NOTIFY), on a connection of its own that is made anew when it breaks. The database sends the
 * notices that are due before it answers a query, so a short query every moment proves that none is missing.
 */
export function listenOn(channel: string, hears: Hears): Listener {
  let client: Client | undefined;
  let asking: Promise<void> | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<Client> {
    const opened = await dedicatedConnection("listen");
    opened.on("error", () => lose(opened));
    opened.on("end", () => lose(opened));
    opened.on("notification", ({ payload }) => hears.notice(payload ?? ""));
    client = opened;
    if (closed) await opened.end();
    await inTime(opened.query(`listen ${channel}`));
    return opened;
  }

  function lose(broken: Client | undefined): void {
    if (client !== broken) return;
    client = undefined;
    heardAt = Number.NEGATIVE_INFINITY;
    hears.lost();
    broken?.end().catch(() => {});
  }

  async function ask(): Promise<void> {
    const current = client;
    try {
      const asked = performance.now();
      await inTime((current ?? (await open())).query("select 1"));
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

  const isLive = () => performance.now() - heardAt < TRUST_MS;

  beforeClosing(async () => {
    closed = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  });
  void beat();
  return {
    isLive,
    async catchUp() {
      if (heardAt === Number.NEGATIVE_INFINITY) return false;
      await hear();
      return isLive();
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

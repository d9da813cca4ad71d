import { sql } from "drizzle-orm";
import type { Client } from "pg";
import { env } from "../env";
import { beforeClosing, dedicatedConnection, type Tx } from "./index";
import { perProcess } from "./per-process";

/** How often to query while callers ask whether a listener is live, and otherwise. */
const QUERY_INTERVAL_MS = { asked: 300, rest: 3_000 };
/** A listener is live only if a query was answered this recently. */
const MAX_SILENCE_MS = 900;
/** For this long after a question, more of them are likely. */
const ASKED_MS = 5_000;
const QUERY_TIMEOUT_MS = 2_000;

type Handlers = {
  /** A notification arrived. */
  notice(payload: string): void;
  /** The connection broke: notifications are missed until it is open again. */
  lost(): void;
};

type Listener = {
  /** True if every notification has arrived, except those of the last moment. */
  isLive(): boolean;
  /**
   * True if notifications arrive, unless the connection has just broken. Then `lost` is called within seconds. For callers that
   * also look for changes from time to time.
   */
  isListening(): boolean;
  /** Queries the database once more, for a process that was too busy to read notifications in time. Returns `isLive`. */
  catchUp(): Promise<boolean>;
};

const shared = perProcess<{ connection?: ListenConnection }>("db.listen", () => ({}));

/** Notifies all processes on commit, unless DATABASE_NOTIFY is off. The payload has at most 8,000 bytes. */
export async function notify(tx: Tx, channel: string, payload: string): Promise<void> {
  await tx.execute(sql`select notify_processes(${channel}, ${payload})`);
}

/**
 * Listens on a NOTIFY channel. All channels share one connection of this process. With DATABASE_NOTIFY off, it opens none and
 * the listener is never live: callers look for changes as they do while the connection is lost.
 */
export function listenOn(channel: string, handlers: Handlers): Listener {
  if (!env.databaseNotify) return { isLive: () => false, isListening: () => false, catchUp: async () => false };
  shared.connection ??= openConnection(() => {
    shared.connection = undefined;
  });
  return shared.connection.listen(channel, handlers);
}

type ListenConnection = { listen(channel: string, handlers: Handlers): Listener };

/**
 * Opens a connection for notifications and reopens it when it breaks. The database delivers pending notifications before it
 * answers a query on the same connection. So a short query every 300 ms proves that no notification is missing. While no caller asks
 * for this proof, a query every 3 s finds out that the connection broke.
 */
function openConnection(onClosed: () => void): ListenConnection {
  const channels = new Map<string, Set<Handlers>>();
  /** The channels on which the current connection listens. */
  const listening = new Set<string>();
  let client: Client | undefined;
  let running: Promise<void> | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function open(): Promise<Client> {
    const opened = await dedicatedConnection("listen");
    opened.on("error", () => lose(opened));
    opened.on("end", () => lose(opened));
    opened.on("notification", ({ channel, payload }) => {
      for (const handlers of channels.get(channel) ?? []) handlers.notice(payload ?? "");
    });
    client = opened;
    if (closed) await opened.end();
    return opened;
  }

  function lose(broken: Client | undefined): void {
    if (client !== broken) return;
    client = undefined;
    answeredAt = Number.NEGATIVE_INFINITY;
    listening.clear();
    for (const all of channels.values()) for (const handlers of all) handlers.lost();
    broken?.end().catch(() => {});
    pollAfter(QUERY_INTERVAL_MS.asked);
  }

  async function runQuery(): Promise<void> {
    try {
      const startedAt = performance.now();
      const current = client ?? (await open());
      const added = [...channels.keys()].filter((channel) => !listening.has(channel));
      for (const channel of added) await withTimeout(current.query(`listen ${channel}`));
      await withTimeout(current.query("select 1"));
      for (const channel of added) listening.add(channel);
      answeredAt = startedAt;
    } catch {
      lose(client);
    }
    running = undefined;
  }

  /** Callers share a query that is already running. */
  function query(): Promise<void> {
    running ??= runQuery();
    return running;
  }

  async function poll(): Promise<void> {
    await query();
    const isComplete = client !== undefined && listening.size === channels.size;
    const isAsked = performance.now() - askedAt < ASKED_MS;
    pollAfter(isComplete && !isAsked ? QUERY_INTERVAL_MS.rest : QUERY_INTERVAL_MS.asked);
  }

  function pollAfter(ms: number): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(poll, ms).unref();
  }

  /** Records that a caller asks. After a rest, this starts a query, whose result answers later questions. */
  function asked(): void {
    const now = performance.now();
    if (now - askedAt > ASKED_MS) void poll();
    askedAt = now;
  }

  beforeClosing(async () => {
    closed = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
    onClosed();
  });

  return {
    listen(channel, handlers) {
      const all = channels.get(channel) ?? new Set();
      channels.set(channel, all.add(handlers));
      if (!listening.has(channel)) void poll();
      const isListening = () => listening.has(channel);
      const isLive = () => {
        asked();
        return isListening() && performance.now() - answeredAt < MAX_SILENCE_MS;
      };
      return {
        isLive,
        isListening,
        async catchUp() {
          if (!isListening()) return false;
          await query();
          return isLive();
        },
      };
    },
  };
}

/** A connection that broke without an error never answers, so each query has a timeout. */
async function withTimeout(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the database did not answer in time")), QUERY_TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import {
  connectionLost,
  DatabaseUnreachable,
  databaseFailed,
  isDatabaseHanging,
  queryAnswered,
  queryUnanswered,
  throughGate,
} from "./gate";
import { perProcess } from "./per-process";

/**
 * How long work on the database may take, by who waits for it. A server that hangs does not enforce its own time limits, so
 * the client enforces them a little later, by closing the connection.
 */
const LIMITS = {
  /** Somebody waits for the response, which arrives within 5 s. */
  request: { waitMs: 3_000, answerMs: 4_700, statementMs: 4_500, lockMs: 2_000 },
  /** Workers may wait while the database is busy. */
  background: { waitMs: 30_000, answerMs: 35_000, statementMs: 30_000, lockMs: 0 },
  /** Operators' commands take as long as they need. */
  command: { waitMs: 30_000, answerMs: 0, statementMs: 0, lockMs: 0 },
} as const;

export type LimitKind = keyof typeof LIMITS;

const CONNECT_MS = 3_000;
/** A timer that is later than this shows that this process was busy when the time ran out. */
const LATE_MS = 100;

/**
 * What every session has, whatever the defaults of the server and the role are. An intent must be on disk before its call. The
 * pool sends the limits of its work besides, and these win.
 */
export const SESSION_OPTIONS =
  "-c synchronous_commit=on -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0";

const context = perProcess("db.background", () => new AsyncLocalStorage<LimitKind>());

/** Runs `work`, and everything that it starts, with the time limits for workers. */
export function inBackground<T>(work: () => T): T {
  return context.run("background", work);
}

function timeoutsOf(kind: LimitKind) {
  return { statement_timeout: LIMITS[kind].statementMs, lock_timeout: LIMITS[kind].lockMs };
}

/** The parameters of a new session. The driver leaves out a limit of 0, which `SESSION_OPTIONS` has. */
const startTimeouts = (kind: LimitKind): pg.ClientConfig => ({
  ...timeoutsOf(kind),
  options: SESSION_OPTIONS,
  idle_in_transaction_session_timeout: 30_000,
});

/** Errors of the server about itself: disk full or too many connections, a lock or a statement that took too long, shutdown. */
export const UNAVAILABLE_CODES = /^(08|53|55P03|57014|57P|25006)/;

/** The parts of a client that the driver does not declare. */
type Undeclared = {
  connection: {
    on(event: "errorMessage", listener: (message: { code?: string }) => void): void;
    stream: { destroy(error?: Error): void };
  };
  getStartupConf(): { [parameter: string]: string };
};

const undeclared = (client: pg.Client) => client as unknown as Undeclared;

/**
 * Calls `expired` after a time, unless the returned function is called before. What has arrived is read first: timers run before
 * the reading of sockets, so a process that was busy would take an answer that waits to be read for a missing one.
 */
function startLimit(ms: number, expired: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(expired);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** A connection that passes the gate and is closed if the database does not answer a query in time. */
export class Connection extends pg.Client {
  /** Whose time limits apply. The pool sets it each time that it hands out the connection. */
  limits: LimitKind | undefined;
  /** How long its user has waited for the connection, which counts for the first query. */
  waitedMs = 0;
  private endLimit: (() => void) | undefined;

  constructor(config: pg.ClientConfig) {
    super({ ...config, keepAlive: true });
    this.on("error", connectionLost);
    const clear = () => this.endLimit?.();
    this.on("drain", queryAnswered).on("drain", clear).on("end", clear);
    const driver = undeclared(this);
    driver.connection.on("errorMessage", ({ code = "" }) => {
      if (UNAVAILABLE_CODES.test(code)) databaseFailed();
    });
    // The text of every instant ends in +00 (lib/time/instant.ts). Poolers accept this parameter, unlike `options`.
    const startup = driver.getStartupConf();
    driver.getStartupConf = () => ({ ...startup, TimeZone: "UTC" });
    const open = this.connect.bind(this) as () => Promise<unknown>;
    this.connect = ((callback?: (error?: Error) => void) => {
      const connected = throughGate(() => this.limitConnect(open)).then(() => this);
      return callback ? void connected.then(() => callback(), callback) : connected;
    }) as typeof this.connect;
    this.query = ((...args: unknown[]) => {
      this.limitAnswer();
      return (super.query as (...args: unknown[]) => unknown).apply(this, args);
    }) as typeof this.query;
  }

  /**
   * Ends an attempt to connect after 3 s. A process that is busy for longer, such as one that loads its pages, has read nothing in
   * the meantime, so the time begins again.
   */
  private async limitConnect(open: () => Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const begin = () => {
      const end = performance.now() + CONNECT_MS;
      timer = setTimeout(() => {
        if (performance.now() > end + LATE_MS) begin();
        else undeclared(this).connection.stream.destroy(new Error("timeout expired"));
      }, CONNECT_MS).unref();
    };
    begin();
    await open().finally(() => clearTimeout(timer));
  }

  private limitAnswer(): void {
    this.endLimit?.();
    const limitMs = this.limits && LIMITS[this.limits].answerMs;
    if (!limitMs) return;
    const since = performance.now();
    this.endLimit = startLimit(limitMs - this.waitedMs, () => {
      queryUnanswered(since);
      undeclared(this).connection.stream.destroy();
    });
    this.waitedMs = 0;
  }
}

type Acquired = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

function releasedOnce([error, client, release]: Parameters<Acquired>): Parameters<Acquired> {
  let isReleased = false;
  const releaseOnce = (reason?: unknown) => {
    if (isReleased) return;
    isReleased = true;
    release(reason);
  };
  return [error, client, releaseOnce];
}

/** So many connections may open at once when work arrives. */
const FIRST_CONNECTIONS = 4;
/** How long work waits for a connection to become free before the pool opens one more. */
const GROW_MS = 50;

/** The parts of a pool that the driver does not declare. */
type UndeclaredPool = { _idle: { client: Connection }[] };

/**
 * A pool whose connections have the time limits of the code that uses them: those of the process (`kind`), or of a worker
 * (`inBackground`). A connection that changes between the two gets the other limits first.
 *
 * A new connection costs more CPU than many queries, because PostgreSQL starts a process and plans every statement again. So the
 * driver's pool, which opens one for each query of a burst, may open only a few, and one more whenever work waits for long. Work
 * waits for whichever connection is free first: on a busy server, a new one takes longer than the queries before it. The driver's
 * pool would let the work wait for the new one alone, and fail with it.
 */
export class ConnectionPool extends pg.Pool {
  /** The most connections that it opens. */
  readonly most: number;
  private isOpening = false;
  private growing: NodeJS.Timeout | undefined;

  /** @param hasSessions false behind a pooler that gives each transaction another session; then only the client limits */
  constructor(
    config: pg.PoolConfig,
    private readonly kind: LimitKind,
    private readonly hasSessions = true,
  ) {
    // The driver declares a constructor without parameters, but calls it with the pool's options.
    const Client = Connection as unknown as new () => pg.ClientBase;
    super({ ...config, ...(hasSessions ? startTimeouts(kind) : {}), Client });
    this.most = this.options.max;
    // When a connection breaks, its query fails on its own, and the pool replaces an idle connection.
    this.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
    this.on("remove", () => this.growWhileWaiting());
  }

  /**
   * This pool for the job engine. It has the time limits of a worker, whoever asks: the engine takes jobs in callbacks of a
   * connection, which have the context in which that connection was opened, and that may be a request's. A connection may be
   * released twice: the engine does so with the one for LISTEN if that breaks while the engine stops (graphile-worker 0.17.3,
   * `listenForChanges`), and the error would end the process.
   */
  forWorkers(): pg.Pool {
    const connect = (callback?: Acquired) =>
      inBackground(() =>
        callback ? this.connect((...acquired) => callback(...releasedOnce(acquired))) : this.connect(),
      );
    const query = (...args: [never]) => inBackground(() => this.query(...args));
    return Object.create(this, { connect: { value: connect }, query: { value: query } });
  }

  /** The driver's pool asks this before it opens a connection for one piece of work alone. */
  _isFull(): boolean {
    return this.totalCount > 0 && !this.isOpening;
  }

  /** Opens a connection for whichever work waits first. If that fails, the work goes on waiting for another one. */
  private openOneMore(): void {
    if (this.totalCount >= this.most) return;
    this.isOpening = true;
    super.connect((error, _client, release) => {
      if (error) this.growWhileWaiting();
      else release();
    });
    this.isOpening = false;
  }

  /** Opens one more connection whenever work still waits after `GROW_MS`, up to the most. Begins again when one is gone. */
  private growWhileWaiting(): void {
    if (this.growing || this.ending || this.waitingCount === 0 || this.totalCount >= this.most) return;
    this.growing = setTimeout(() => {
      this.growing = undefined;
      if (this.waitingCount === 0) return;
      this.openOneMore();
      this.growWhileWaiting();
    }, GROW_MS);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<pg.PoolClient> | undefined {
    if (callback) {
      this.acquire(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.acquire((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  private acquire(callback: Acquired): void {
    const kind = context.getStore() ?? this.kind;
    if (kind === "request" && isDatabaseHanging()) {
      callback(new DatabaseUnreachable("it does not answer"), undefined, () => {});
      return;
    }
    const since = performance.now();
    let isLate = false;
    let isAnswered = false;
    let endLimit: (() => void) | undefined;
    this.prefer(kind);
    super.connect((error, client, release) => {
      isAnswered = true;
      endLimit?.();
      if (isLate) {
        if (client) release();
        return;
      }
      if (!client) {
        callback(error, client, release);
        return;
      }
      const own = client as unknown as Connection;
      own.waitedMs = performance.now() - since;
      this.setLimits(own, kind, (problem) => {
        if (problem) release(problem);
        callback(problem, problem ? undefined : client, problem ? () => {} : release);
      });
    });
    // Before this tick, the driver hands out an idle connection, if there is one. Only work that waits longer needs a timer.
    process.nextTick(() => {
      if (isAnswered) return;
      endLimit = startLimit(LIMITS[kind].waitMs, () => {
        isLate = true;
        databaseFailed();
        callback(new Error("timeout exceeded when trying to connect"), undefined, () => {});
      });
    });
    if (this.waitingCount > this.idleCount && this.totalCount < FIRST_CONNECTIONS) this.openOneMore();
    this.growWhileWaiting();
  }

  /** The driver takes the idle connection that is last. One that already has the limits needs no statement to get them. */
  private prefer(kind: LimitKind): void {
    const { _idle: idle } = this as unknown as UndeclaredPool;
    const place = idle.findLastIndex(({ client }) => (client.limits ?? this.kind) === kind);
    if (place >= 0 && place < idle.length - 1) idle.push(...idle.splice(place, 1));
  }

  private setLimits(client: Connection, kind: LimitKind, then: (problem?: Error) => void): void {
    const current = client.limits ?? this.kind;
    client.limits = kind;
    if (current === kind || !this.hasSessions) {
      then();
      return;
    }
    const changes = Object.entries(timeoutsOf(kind)).map(([name, value]) => `set ${name} = ${value}`);
    client.query(changes.join("; "), (error) => then(error ?? undefined));
  }
}

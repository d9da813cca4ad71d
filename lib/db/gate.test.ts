import { createConnection, createServer, type Server, type Socket } from "node:net";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ownPort } from "../testing/own-port";

// Each test has a process's state of its own.
beforeEach(() => void vi.resetModules());
async function load() {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (key === Symbol.for("carillon.db.gate")) Reflect.deleteProperty(globalThis, key);
  }
  return { ...(await import("./connection")), ...(await import("./gate")), ...(await import(".")) };
}

/** A server that counts connections and handles each with `treat`. */
async function serverThat(treat: (socket: Socket) => void) {
  const port = await ownPort();
  const sockets = new Set<Socket>();
  let count = 0;
  const server: Server = createServer((socket) => {
    count++;
    sockets.add(socket.on("error", () => {}));
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `postgres://a:b@127.0.0.1:${port}/c`, count: () => count };
}

const errorOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe("a database that refuses connections", () => {
  test("is tried once by many requests at the same time, and then not again until the wait is over", async () => {
    const { ConnectionPool, isDatabaseTroubled, isDatabaseUnavailable } = await load();
    const server = await serverThat((socket) => socket.destroy());
    const pool = new ConnectionPool({ connectionString: server.url, max: 20 }, "request");
    const errors = await Promise.all(Array.from({ length: 50 }, () => errorOf(pool.query("select 1"))));
    expect(errors.every(isDatabaseUnavailable)).toBe(true);
    expect(server.count()).toBeLessThanOrEqual(2); // two attempts may run at once while the database seems well
    expect(isDatabaseTroubled()).toBe(true);
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const before = server.count();
    await Promise.all(Array.from({ length: 50 }, () => errorOf(pool.query("select 1"))));
    expect(server.count() - before).toBe(1);
  });
});

describe("a database that hangs", () => {
  test("a request waits at most 3 s for a connection", { timeout: 30_000 }, async () => {
    const { ConnectionPool, isDatabaseUnavailable } = await load();
    const server = await serverThat(() => {});
    const pool = new ConnectionPool({ connectionString: server.url, max: 20 }, "request");
    const errors = await Promise.all(Array.from({ length: 30 }, () => errorOf(pool.query("select 1"))));
    expect(errors.every(isDatabaseUnavailable)).toBe(true);
    expect(server.count()).toBeLessThanOrEqual(2);
  });
});

describe("a process that is busy for longer than the database may take", () => {
  /** Blocks this process, as loading the pages does. */
  const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

  test("reads the answers that have arrived in the meantime", { timeout: 30_000 }, async () => {
    const { ConnectionPool } = await load();
    const pool = new ConnectionPool({ connectionString: process.env.DATABASE_URL, max: 1 }, "request");
    onTestFinished(() => pool.end());
    const client = await pool.connect();
    const answered = client.query("select 1 as one");
    await new Promise(setImmediate); // the query is sent
    block(5_000);
    expect((await answered).rows).toEqual([{ one: 1 }]);
    client.release();
  });

  test("goes on connecting", { timeout: 30_000 }, async () => {
    const { Connection } = await load();
    const client = new Connection({ connectionString: process.env.DATABASE_URL });
    onTestFinished(() => client.end());
    const connected = client.connect();
    block(3_500);
    await connected;
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });
});

describe("a database that is slow to accept connections", () => {
  test("answers work on the first connection that is free, and not on a new one alone", async () => {
    const { ConnectionPool } = await load();
    const database = new URL(process.env.DATABASE_URL ?? "");
    let accepted = 0;
    const server = await serverThat((socket) => {
      accepted += 1;
      if (accepted > 1) return; // PostgreSQL has no time for it
      const there = createConnection(Number(database.port), database.hostname).on("error", () => socket.destroy());
      socket.pipe(there).pipe(socket);
    });
    const url = Object.assign(new URL(database), { port: new URL(server.url).port, search: "" });
    const pool = new ConnectionPool({ connectionString: url.href, max: 20 }, "request");
    const first = await pool.connect();
    const waiting = Array.from({ length: 3 }, () => pool.query("select 1 as one"));
    await expect.poll(server.count).toBe(3); // two more are tried at once
    first.release();
    for (const { rows } of await Promise.all(waiting)) expect(rows).toEqual([{ one: 1 }]);
  });
});

describe("work that waits while the pool has its most connections", () => {
  test("gets a new one when another is removed", async () => {
    const { ConnectionPool } = await load();
    const pool = new ConnectionPool({ connectionString: process.env.DATABASE_URL, max: 2 }, "request");
    onTestFinished(() => pool.end());
    const [busy, broken] = await Promise.all([pool.connect(), pool.connect()]);
    onTestFinished(() => busy.release());
    const waiting = pool.query("select 1 as one");
    broken.release(true);
    expect((await waiting).rows).toEqual([{ one: 1 }]);
  });

  test("gets a new one when another could not be opened", async () => {
    const { ConnectionPool } = await load();
    const database = new URL(process.env.DATABASE_URL ?? "");
    let accepted = 0;
    const server = await serverThat((socket) => {
      accepted += 1;
      if (accepted === 2) return socket.destroy();
      const there = createConnection(Number(database.port), database.hostname).on("error", () => socket.destroy());
      socket.pipe(there).pipe(socket);
    });
    const url = Object.assign(new URL(database), { port: new URL(server.url).port, search: "" });
    const pool = new ConnectionPool({ connectionString: url.href, max: 2 }, "request");
    onTestFinished(() => pool.end());
    const busy = await pool.connect();
    onTestFinished(() => busy.release());
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });
});

describe("time limits of a session", () => {
  const limits = "select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l";

  test("are those of requests, or of workers in the background, also on a connection that both use in turn", async () => {
    const { ConnectionPool, inBackground } = await load();
    const pool = new ConnectionPool({ connectionString: process.env.DATABASE_URL, max: 1 }, "request");
    onTestFinished(() => pool.end());
    const read = async () => (await pool.query(limits)).rows[0];
    expect(await read()).toEqual({ s: "4500ms", l: "2s" });
    expect(await inBackground(read)).toEqual({ s: "30s", l: "0" });
    expect(await read()).toEqual({ s: "4500ms", l: "2s" });
  });

  test("are kept by two connections in turn, so that neither needs a statement to change them", async () => {
    const { ConnectionPool, inBackground } = await load();
    const pool = new ConnectionPool({ connectionString: process.env.DATABASE_URL, max: 2 }, "request");
    onTestFinished(() => pool.end());
    const pid = async () => (await pool.query("select pg_backend_pid() as pid")).rows[0].pid as number;
    const held = await pool.connect(); // so that the other one gets a second connection
    const background = await inBackground(pid);
    held.release();
    const request = await pid();
    expect(request).not.toBe(background);
    for (let turn = 0; turn < 3; turn++) {
      expect(await pid()).toBe(request);
      expect(await inBackground(pid)).toBe(background);
    }
  });

  test("a request that waits for a lock or a slow statement counts the database as unavailable", async () => {
    const { ConnectionPool, isDatabaseUnavailable } = await load();
    const pool = new ConnectionPool({ connectionString: process.env.DATABASE_URL, max: 1 }, "request");
    const other = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await other.connect();
    onTestFinished(async () => {
      await other.end();
      await pool.end();
    });
    await other.query("select pg_advisory_lock(4712, 1)");
    const error = await errorOf(pool.query("select pg_advisory_xact_lock(4712, 1)"));
    expect(error).toMatchObject({ code: "55P03" });
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe("a connection on which the database does not answer in time", () => {
  const hanging = async () => {
    const loaded = await load();
    const pool = new loaded.ConnectionPool({ connectionString: process.env.DATABASE_URL, max: 2 }, "request");
    onTestFinished(() => pool.end());
    await pool.query("set statement_timeout = 0"); // like a server that does not enforce it
    return { ...loaded, pool, unanswered: errorOf(pool.query("select pg_sleep(30)")) };
  };

  test("is closed, and a request that has waited for it does not wait again", async () => {
    const { pool, unanswered, isDatabaseUnavailable } = await hanging();
    expect(isDatabaseUnavailable(await unanswered)).toBe(true);
    expect(await errorOf(pool.query("select 1"))).toMatchObject({ name: "DatabaseUnreachable" });
  });

  test("is closed, and other requests are served if the database answers them", async () => {
    const { pool, unanswered, isDatabaseUnavailable } = await hanging();
    await pool.query("select 1");
    expect(isDatabaseUnavailable(await unanswered)).toBe(true);
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });
});

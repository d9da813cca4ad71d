import { sql } from "drizzle-orm";
import type pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import "../testing/database";
import { databasePool, db, isDatabaseUnavailable } from ".";
import { ConnectionPool } from "./connection";
import { readServerFacts } from "./server-facts";

test("a connection that breaks before its transaction begins does not take a place in the pool for ever", async () => {
  for (let n = 0; n <= databasePool().most; n++) {
    const work = () => db.transaction((tx) => tx.execute(sql`select 1`));
    await expect(whileAcquired(breakConnection, work)).rejects.toThrow();
  }
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

describe("a pool", () => {
  const openPool = () => {
    const pool = new ConnectionPool({ connectionString: databasePool().options.connectionString, max: 6 }, "request");
    onTestFinished(() => pool.end());
    return pool;
  };

  test("runs a burst of short queries on few connections", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // however slow the machine is, no query waits for long
    onTestFinished(() => void vi.useRealTimers());
    const pool = openPool();
    await Promise.all(Array.from({ length: 30 }, () => pool.query("select 1")));
    expect(pool.totalCount).toBe(4);
  });

  test("has the time limits of its process, and those of a worker for the job engine", async () => {
    const pool = openPool();
    const limitOf = async (asked: pg.Pool) => {
      const client = await asked.connect();
      const results = [await client.query("show statement_timeout"), await asked.query("show statement_timeout")];
      client.release();
      return results.map(({ rows }) => rows[0].statement_timeout);
    };
    expect(await limitOf(pool.forWorkers())).toEqual(["30s", "30s"]);
    expect(await limitOf(pool)).toEqual(["4500ms", "4500ms"]);
  });

  test("lets the job engine release a connection twice", async () => {
    const pool = openPool();
    await new Promise<void>((resolve, reject) => {
      pool.forWorkers().connect((error, _, release) => {
        release();
        expect(release).not.toThrow();
        if (error) reject(error);
        else resolve();
      });
    });
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  test("counts in the plan for connections with its most, not with those that it may open now", async () => {
    expect(openPool().most).toBe(6);
    expect((await readServerFacts()).connections.poolSize).toBe(databasePool().most);
  });

  test("opens more connections while work waits, up to its most", async () => {
    const pool = openPool();
    const clients = await Promise.all(Array.from({ length: 6 }, () => pool.connect()));
    const waiting = pool.query("select 1 as one");
    clients[0]?.release();
    expect((await waiting).rows).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(6);
    for (const client of clients.slice(1)) client.release();
  });
});

describe("the database counts as unavailable", () => {
  const errorOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

  test("if the connection breaks before, during or after the queries of a transaction", async () => {
    const broken = (fate: (client: pg.PoolClient) => void) =>
      errorOf(whileAcquired(fate, () => db.transaction((tx) => tx.execute(sql`select pg_sleep(10)`))));
    expect(isDatabaseUnavailable(await broken(breakConnection))).toBe(true);
    expect(isDatabaseUnavailable(await broken((client) => setTimeout(breakConnection, 100, client)))).toBe(true);
    const acquired: pg.PoolClient[] = [];
    const after = () =>
      db.transaction(async (tx) => {
        const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        const own = acquired.find((client) => partsOf(client).processID === rows[0]?.pid);
        const ended = new Promise((resolve) => own?.once("end", resolve));
        if (own) breakConnection(own);
        await ended;
      });
    const error = await errorOf(whileAcquired((client) => acquired.push(client), after));
    expect(isDatabaseUnavailable(error), String(error)).toBe(true);
  });

  test("if no connection becomes free in time", async () => {
    const { connectionString } = databasePool().options;
    const pool = new ConnectionPool({ connectionString, max: 1 }, "request");
    const taken = await pool.connect();
    expect(isDatabaseUnavailable(await errorOf(pool.query("select 1")))).toBe(true);
    taken.release();
    await pool.end();
  });
});

/** Runs `work`, and calls `fate` with each connection taken from the pool: other work of this process may take one too. */
async function whileAcquired<T>(fate: (client: pg.PoolClient) => void, work: () => Promise<T>): Promise<T> {
  const pool = databasePool().on("acquire", fate);
  try {
    return await work();
  } finally {
    pool.off("acquire", fate);
  }
}

function breakConnection(client: pg.PoolClient): void {
  partsOf(client).connection.stream.destroy();
}

/** The driver does not declare these. */
function partsOf(client: pg.PoolClient): { processID: number; connection: { stream: { destroy(): void } } } {
  return client as unknown as ReturnType<typeof partsOf>;
}

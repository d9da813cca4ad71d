import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "../db";
import { listenerFor } from "../http/node-server";
import { exportSchedules } from "../schedules";
import { connectAccount, newOwner } from "../testing";
import { getOwnUser } from "../users";
import { csvDownload } from "./body";
import { exportText } from "./export";

const MB = 1_048_576;

/** Inserts schedules with one text of this length each, and an event of each. */
async function fill(ownerId: string, count: number, length: number): Promise<void> {
  const account = await connectAccount(ownerId, "X_TWITTER");
  await db.execute(sql`
    with made as (
      insert into schedules (owner_id, status) select ${ownerId}, 'DRAFT' from generate_series(1, ${count}::int) returning id
    ), parts as (
      insert into publications (schedule_id, account_id, position, settings)
      select id, ${account.id}, 0, '{"type": "TWITTER"}' from made returning id
    ), texts as (
      insert into posts (publication_id, position, content, attachment_paths)
      select id, 0, repeat('x', ${length}::int), '{}' from parts
    )
    insert into events (owner_id, type, data)
    select ${ownerId}, 'post.scheduled', json_build_object('id', id, 'text', repeat('y', ${length}::int)) from made`);
}

async function partsOf(text: AsyncGenerator<string>): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of text) parts.push(part);
  return parts;
}

describe("an export", () => {
  test("reads rows only when the rows before them were sent", async () => {
    const owner = await newOwner();
    await fill(owner, 650, 10);
    await db.execute(sql`
      insert into mails (owner_id, kind, key, state, created_at)
      select ${owner}, 'postPublished', gen_random_uuid(), 'SENT', now() - n * interval '1 second' from generate_series(1, 250) n`);
    const text = await exportText(await getOwnUser(owner));
    let said = "";
    do said += (await text.next()).value;
    while (!said.includes('"postPublished"'));
    await db.execute(sql`
      delete from mails where id = (select id from mails where owner_id = ${owner} order by created_at limit 1)`);
    await db.execute(sql`delete from schedules where owner_id = ${owner}
      and id = (select min(id) from schedules where owner_id = ${owner})`);
    const all = JSON.parse(said + (await partsOf(text)).join(""));
    const counts = [all.mails, all.posts, all.events].map((list: object[]) => list.length);
    expect(counts).toEqual([249, 649, 651]); // one event is the connected account;
    const ids = all.posts.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));

    const file = exportSchedules(owner, {});
    const beginning = `${(await file.next()).value}${(await file.next()).value}`;
    await db.execute(sql`delete from schedules where owner_id = ${owner}
      and id = (select min(id) from schedules where owner_id = ${owner})`);
    expect((beginning + (await partsOf(file)).join("")).trim().split("\r\n")).toHaveLength(1 + 648);
  });

  test("never holds more than about 1 MB of texts, however long each text is", async () => {
    const owner = await newOwner();
    await fill(owner, 12, 400_000);
    const parts = await partsOf(await exportText(await getOwnUser(owner)));
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1.1 * MB);
    const { posts, events } = JSON.parse(parts.join(""));
    expect([posts.length, events.length]).toEqual([12, 13]);
    const lines = await partsOf(exportSchedules(owner, {}));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1.1 * MB);
    expect(lines.join("").trim().split("\r\n")).toHaveLength(1 + 12);
  });
});

describe("a download that is sent in parts", () => {
  /** Serves these parts at a real port. */
  async function serve(parts: () => AsyncGenerator<string>) {
    const server = createServer(listenerFor(() => csvDownload("a.csv", parts())));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { url, close };
  }

  test("breaks the connection after a failure, so that it never looks complete", async () => {
    const server = await serve(async function* () {
      for (let n = 0; n < 5; n++) yield "a line\r\n";
      throw new Error("the database failed");
    });
    const read = fetch(server.url).then((answer) => answer.text());
    await expect(read).rejects.toThrow(/terminated|failed/);
    server.close();
  });

  test("stops reading when the client is gone, and reads no further than the client", async () => {
    let [read, ended] = [0, () => {}];
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const server = await serve(async function* () {
      try {
        for (; read < 1_000; read++) yield "x".repeat(MB);
      } finally {
        ended();
      }
    });
    const client = new AbortController();
    const answer = await fetch(server.url, { signal: client.signal });
    await answer.body?.getReader().read();
    client.abort();
    await over;
    expect(read).toBeLessThan(100); // what fits into the buffers of the two sockets
    server.close();
  });
});

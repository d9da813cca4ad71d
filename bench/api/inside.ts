import { randomUUID } from "node:crypto";
import { connect, createServer } from "node:net";

/**
 * What is measured inside a process: `npm run bench` runs this as one of its own, with the settings of the measured
 * product. Prints the round trips of a create and the microseconds that a known token costs.
 */
const [databaseUrl = "", token = "", body = ""] = process.argv.slice(2);
const wire = await countedWire(databaseUrl);
const { openDatabase, closeDatabase } = await import("../../lib/db");
openDatabase(wire.url, 1);
const { api } = await import("../../lib/api");
const { grantOf } = await import("../../lib/oauth");

const CREATES = 50;
const TOKENS = 200_000;

async function tripsPerCreate(headersOf: () => { [name: string]: string }): Promise<number> {
  const create = async () => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headersOf() };
    const { status } = await api.request("/v1/posts", { method: "POST", headers, body });
    if (status !== 201) throw new Error(`a create was answered with ${status}`);
  };
  await create(); // opens the connection and learns the token
  const before = wire.trips();
  for (let n = 0; n < CREATES; n++) await create();
  return (wire.trips() - before) / CREATES;
}

async function microsecondsPerToken(): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < TOKENS; n++) await grantOf(token);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TOKENS;
}

/** Whether the token is remembered, as it is once the listener for changes of access is up. */
async function isKnown(): Promise<boolean> {
  const grant = await grantOf(token);
  return grant !== undefined && grant === (await grantOf(token));
}

while (!(await isKnown())) await new Promise((resolve) => setTimeout(resolve, 50));
const plain = await tripsPerCreate(() => ({}));
const withKey = await tripsPerCreate(() => ({ "idempotency-key": randomUUID() }));
console.log(JSON.stringify({ plain, withKey, tokenMicroseconds: await microsecondsPerToken() }));
await closeDatabase();
wire.close();
process.exit(0);

/** A way to a PostgreSQL that counts what goes over it: a round trip is a `Query` or a `Sync` of its wire protocol. */
async function countedWire(databaseUrl: string): Promise<{ url: string; trips(): number; close(): void }> {
  const target = new URL(databaseUrl);
  let trips = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const count = tripsOf(() => trips++);
    client.on("data", count).pipe(upstream).pipe(client);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === "object" ? address?.port : "");
  return { url: url.href, trips: () => trips, close: () => server.close() };
}

/** Reads the messages of one client (PostgreSQL, "Message Formats"): the first has no type, every other one byte of it. */
function tripsOf(onTrip: () => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  let started = false;
  let listens = false;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const typeBytes = started ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) return;
      const type = started ? rest.toString("latin1", 0, 1) : "";
      // The listener for changes of access asks something every moment, whatever requests there are.
      if (!started) listens = rest.toString("latin1", 0, end).includes(" listen\0");
      if (!listens && (type === "Q" || type === "S")) onTrip();
      started = true;
      rest = rest.subarray(end);
    }
  };
}

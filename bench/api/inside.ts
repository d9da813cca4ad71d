import { randomUUID } from "node:crypto";
import { connect, createServer } from "node:net";

/**
 * Measures inside a process: `npm run bench` runs this file as a child process with the settings of the measured product.
 * Prints the SQL round trips of a create and the CPU microseconds that checking a cached token takes.
 */
const [databaseUrl = "", token = "", body = ""] = process.argv.slice(2);
const wire = await countedWire(databaseUrl);
const { openDatabase, closeDatabase } = await import("../../lib/db");
openDatabase(wire.url, { poolSize: 1 });
const { api } = await import("../../lib/api");
const { findBearerGrant } = await import("../../lib/oauth");

const CREATES = 50;
const TOKENS = 200_000;

async function tripsPerCreate(headersOf: () => { [name: string]: string }): Promise<number> {
  const create = async () => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headersOf() };
    const { status } = await api.request("/v1/posts", { method: "POST", headers, body });
    if (status !== 201) throw new Error(`POST /v1/posts returned ${status}`);
  };
  await create(); // opens the connection and caches the token
  const before = wire.trips();
  for (let n = 0; n < CREATES; n++) await create();
  return (wire.trips() - before) / CREATES;
}

async function microsecondsPerToken(): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < TOKENS; n++) await findBearerGrant(token);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TOKENS;
}

/** Whether the token is cached, which starts once the listener for access changes is connected. */
async function isKnown(): Promise<boolean> {
  const grant = await findBearerGrant(token);
  return grant !== undefined && grant === (await findBearerGrant(token));
}

while (!(await isKnown())) await new Promise((resolve) => setTimeout(resolve, 50));
const plain = await tripsPerCreate(() => ({}));
const withKey = await tripsPerCreate(() => ({ "idempotency-key": randomUUID() }));
console.log(JSON.stringify({ plain, withKey, tokenMicroseconds: await microsecondsPerToken() }));
await closeDatabase();
wire.close();
process.exit(0);

/** A proxy to PostgreSQL that counts round trips: each `Query` or `Sync` message of the wire protocol is one. */
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

/** Parses the messages of one client (PostgreSQL, "Message Formats"). Every message but the first starts with a type byte. */
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
      // Skip the listener for access changes, which sends queries independently of requests.
      if (!started) listens = rest.toString("latin1", 0, end).includes(" listen\0");
      if (!listens && (type === "Q" || type === "S")) onTrip();
      started = true;
      rest = rest.subarray(end);
    }
  };
}

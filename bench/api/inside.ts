import { randomUUID } from "node:crypto";
import { countedWire } from "./wire";

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

import { connect, createServer } from "node:net";

/** A way to a PostgreSQL that counts what goes over it: a round trip is a `Query` or a `Sync` of its wire protocol. */
export async function countedWire(databaseUrl: string): Promise<{ url: string; trips(): number; close(): void }> {
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

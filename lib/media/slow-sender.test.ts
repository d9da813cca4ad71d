import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiError } from "../errors";
import { keepNodeRequest, listenerFor } from "../http/node-server";
import type { SenderPace } from "../storage";
import { jpeg, newOwner, nothingLeft, unowned } from "../testing";
import { type TestGrant, withGrants } from "./testing/grants";
import { answerPut, uploadMedia } from "./upload";

/** The default pace, a hundred times faster. */
const pace: SenderPace = { idleMs: 300, graceMs: 300, bytesPerSecond: 65_536 };
const { grant } = withGrants();

let server: Server;
let owner: string;
beforeAll(async () => {
  owner = await newOwner();
  const listener = listenerFor(async (request, surroundings) => {
    keepNodeRequest(request, surroundings);
    const key = new URL(request.url).pathname.replace("/media/uploads/", "");
    const answer =
      request.method === "PUT"
        ? answerPut(key, request, pace)
        : uploadMedia(owner, request, async (_, store) => Response.json(await store()), pace);
    return answer.catch((error: ApiError) => Response.json({ error: error.message }, { status: error.status }));
  }, pace.idleMs);
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
const direct = () =>
  `POST /v1/media/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 900000\r\n\r\n${PART}`;
function presigned({ url, headers }: TestGrant, length: number): string {
  const { pathname, search } = new URL(url);
  const lines = Object.entries({ host: "x", ...headers, "content-length": length });
  return `PUT ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

/** Sends the head and then a few bytes at a time. Returns the server's answer before it disconnects. */
function drip(head: string, everyMs: number): Promise<string> {
  const socket: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let said = "";
  socket.on("data", (bytes) => {
    said += bytes;
  });
  socket.on("error", () => {}); // a disconnect can be reported as an error
  socket.write(head);
  const timer = everyMs > 0 ? setInterval(() => socket.writable && socket.write("x"), everyMs) : undefined;
  return new Promise((resolve) =>
    socket.on("close", () => {
      clearInterval(timer);
      resolve(said);
    }),
  );
}

test.each([
  { who: "falls silent", everyMs: 0 },
  { who: "only drips", everyMs: 20 },
])("M15: a direct upload that $who is disconnected and leaves nothing", async ({ everyMs }) => {
  const before = await unowned();
  expect(await drip(direct(), everyMs)).toMatch(/^HTTP\/1\.1 400 .*the connection is too slow/s);
  await nothingLeft(before);
});

test.each([
  { who: "falls silent", everyMs: 0 },
  { who: "only drips", everyMs: 20 },
])("M15: a pre-signed PUT that $who is disconnected too", async ({ everyMs }) => {
  const before = await unowned();
  const bytes = await jpeg(600, 600);
  expect(await drip(presigned(await grant(bytes), bytes.length), everyMs)).not.toMatch(/^HTTP\/1\.1 200/);
  await nothingLeft(before);
});

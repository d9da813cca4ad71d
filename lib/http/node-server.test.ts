import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { acceptPageBody, readBytes } from "./form";
import { json } from "./json";
import { listenerFor } from "./node-server";

/** More than the buffers of a connection hold. */
const SIZE = 20_000_000;
const refusal = { error: "no" };

/** Serves requests that are refused before their body has arrived. */
async function serve(unreadMs?: number): Promise<number> {
  const answer = async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/broken") throw new Error("broken");
    if (pathname === "/read") return json({ read: await readBytes(request, 1_000) }, { status: 413 });
    const cookies: [string, string][] = [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ];
    return pathname === "/text"
      ? json(refusal, { status: 401 })
      : Response.json(refusal, { status: 401, headers: cookies });
  };
  const listener = listenerFor(answer, unreadMs);
  const server = createServer((request, response) => {
    if (request.url !== "/form" || acceptPageBody(request, response)) listener(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends the head and `size` bytes, and only then reads. Returns what the server said, or throws if sending failed. */
function sendThenRead(port: number, head: string, size: number): Promise<string> {
  const socket = connect(port, "127.0.0.1").pause();
  let said = "";
  return new Promise((resolve, reject) => {
    socket.on("error", reject).on("close", () => resolve(said));
    socket.on("data", (bytes) => {
      said += bytes;
    });
    socket.write(head);
    socket.write(Buffer.alloc(size, "0"), () => socket.resume());
  });
}

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${SIZE}\r\n\r\n`;

test.each([
  ["/", /^HTTP\/1\.1 401 .*set-cookie: a=1\r\nset-cookie: b=2\r\n.*\{"error":"no"\}$/s],
  ["/text", /^HTTP\/1\.1 401 .*\{"error":"no"\}$/s],
  ["/form", /^HTTP\/1\.1 413 .*The body is too large: the maximum is 64 KB\n$/s],
  ["/read", /^HTTP\/1\.1 413 .*\{\}$/s],
])("a client that reads only after it has sent a large body gets the answer of %s", async (path, says) => {
  expect(await sendThenRead(await serve(), post(path), SIZE)).toMatch(says);
});

test("a client that never ends its body is disconnected", async () => {
  expect(await sendThenRead(await serve(50), post("/"), 1_000)).toMatch(/^HTTP\/1\.1 401 /);
});

const INVALID = "The address or the Host header of the request is not valid";

test.each([
  ...["a b", "x/y", "[1", "x:99999"].map((host) => ["/", host, 400, INVALID] as const),
  ["/broken", "x", 500, "Something went wrong on our side"] as const,
])("the error of a request for %s at the host %j is answered in JSON", async (path, host, status, error) => {
  const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
  const [lines = "", body = ""] = (await sendThenRead(await serve(), head, 0)).split("\r\n\r\n");
  expect(lines).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*content-type: application/json`, "is"));
  expect(JSON.parse(body)).toEqual({ error });
});

import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";

/**
 * Sends the same request to a server for some seconds, over keep-alive connections on bare sockets to use little CPU itself.
 * Reads a `Load` as JSON from stdin and prints a `Loaded`.
 */
export type Load = {
  port: number;
  method: string;
  path: string;
  token: string;
  body?: string;
  /** Sends a new `Idempotency-Key` with each request. */
  keys?: boolean;
  status: number;
  concurrency: number;
  seconds: number;
};
export type Loaded = { requests: number; perSecond: number; p50Ms: number; p99Ms: number };

const load: Load = JSON.parse(await text(process.stdin));
const END = Date.now() + load.seconds * 1000;
const HEAD_END = "\r\n\r\n";
const latencies: number[] = [];

function requestBytes(): string {
  const { method, path, port, token, body = "", keys } = load;
  const lines = [`${method} ${path} HTTP/1.1`, `Host: localhost:${port}`, `Authorization: Bearer ${token}`];
  if (body) lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  if (keys) lines.push(`Idempotency-Key: ${randomUUID()}`);
  return `${lines.join("\r\n")}${HEAD_END}${body}`;
}

/** Whether the response is complete. */
function isWhole(answer: string): boolean {
  const head = answer.indexOf(HEAD_END);
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1];
  if (length !== undefined) return answer.length >= head + HEAD_END.length + Number(length);
  return answer.endsWith(`0${HEAD_END}`);
}

/** One connection: sends a request, waits for the complete response and repeats. */
function caller(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(load.port, "127.0.0.1");
    const plain = load.keys ? undefined : requestBytes();
    let answer = "";
    let sentAt = 0;
    const sendRequest = () => {
      answer = "";
      sentAt = performance.now();
      socket.write(plain ?? requestBytes());
    };
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("connect", sendRequest).on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (!isWhole(answer)) return;
      if (!answer.startsWith(`HTTP/1.1 ${load.status}`)) return reject(new Error(answer));
      latencies.push(performance.now() - sentAt);
      if (Date.now() < END) return sendRequest();
      socket.removeAllListeners("close").end();
      resolve();
    });
  });
}

await Promise.all(Array.from({ length: load.concurrency }, caller));
latencies.sort((one, other) => one - other);
const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const loaded: Loaded = {
  requests: latencies.length,
  perSecond: latencies.length / load.seconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
};
console.log(JSON.stringify(loaded));
process.exit(0);

import { randomBytes } from "node:crypto";
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { growthMb } from "../../bench/processes";
import { formOf, send as sendLarge } from "../../bench/upload/uploads";
import { send } from "./http";
import { newPerson, type Person } from "./people";
import type { Size, Trial, TrialContext } from "./trial";

const PARALLEL = 8;
const FILE_MB = { short: 8, whole: 100 } satisfies Record<Size, number>;
const SLOW_CLIENTS = { short: 40, whole: 200 } satisfies Record<Size, number>;
const MEMORY_MB = 200;
const P99_MS = 500;
const ASK_EVERY_MS = 50;

/**
 * T22: large parallel uploads while many slow clients hold an upload open. Memory stays limited, the rest of the API
 * answers, and every file is complete.
 */
export const uploads: Trial = {
  id: "T22",
  guarantee: "8 × 100 MB parallel uploads + 200 slow clients: memory +< 200 MB, API p99 ≤ 500 ms",
  async run(context, size) {
    const { product, seed } = context;
    const person = await newPerson(product, `uploads-${seed}@example.com`);
    const file = await fileOf(FILE_MB[size] * 1_048_576);
    await upload(context, person, file); // Warms up, so that the first upload's allocations are not measured.
    const times: number[] = [];
    const slow = Array.from({ length: SLOW_CLIENTS[size] }, () => slowClient(product.url, person));
    const grownMb = await growthMb(product.webPid(), async () => {
      const over = new AbortController();
      const asking = ask(context, person, times, over.signal);
      await Promise.all(Array.from({ length: PARALLEL }, () => upload(context, person, file)));
      over.abort();
      await asking;
    });
    for (const socket of slow) socket.destroy();
    const sorted = times.sort((a, b) => a - b);
    const p99 = Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0);
    if (grownMb >= MEMORY_MB) context.fail(`memory grew by ${Math.round(grownMb)} MB`);
    // A short run does not measure times, because the machine runs other tests.
    if (size === "whole" && p99 > P99_MS) context.fail(`the API's p99 was ${p99} ms`);
    return {
      parallel: PARALLEL,
      slowClients: slow.length,
      memoryMb: Math.round(grownMb),
      p99Ms: p99,
      asked: times.length,
    };
  },
};

/** A picture padded with bytes after its end to the given size. */
async function fileOf(bytes: number): Promise<Buffer> {
  const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([picture, randomBytes(bytes - picture.length)]);
}

async function upload({ product, fail }: TrialContext, { headers }: Person, file: Buffer): Promise<void> {
  const form = formOf(file, "large.jpg");
  const sent = await sendLarge(`${product.url}/v1/media/upload`, {
    method: "POST",
    headers: { ...headers, ...form.headers },
    parts: form.parts,
  });
  if (sent.status !== 200) return fail(`an upload was answered ${sent.status}: ${sent.body.slice(0, 200)}`);
  const name = (JSON.parse(sent.body) as { path: string }).path.split("/")[1];
  await send(product.url, `/v1/media/${name}`, { method: "DELETE", headers });
}

/** Starts an upload and sends no further byte. */
function slowClient(url: string, { headers }: Person): Socket {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  socket.write(
    `POST /v1/media/upload HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${headers.authorization}\r\n` +
      "content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n" +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nx',
  );
  return socket;
}

/** Calls the API during the uploads and collects the response times. */
async function ask(
  { product, fail }: TrialContext,
  { headers }: Person,
  times: number[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { status, ms } = await send(product.url, "/v1/accounts", { headers });
      if (status !== 200) fail(`GET /v1/accounts was answered ${status}`);
      times.push(ms);
    } catch (error) {
      fail(`GET /v1/accounts: ${String(error)}`);
    }
    await sleep(ASK_EVERY_MS);
  }
}

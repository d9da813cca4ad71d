import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { startSandbox } from "../../../sandbox/server";
import { mp4 } from "../../../sandbox/testing/mp4";
import { pdf } from "../../../sandbox/testing/pdf";
import type { OutgoingMedia } from "../network";
import { checkingProxy, type RequestCheck } from "./request-checks";

type Fault = { operation: string; fault: string; times?: number; afterSeconds?: number; every?: number };

/** A post as the sandbox stores it. */
export type HeldPost = {
  id: string;
  account: string;
  text: string;
  media: { type: string; sizeBytes: number }[];
  chatId?: string;
  replyTo?: string;
  settings: { [name: string]: unknown };
  permalink: string;
};

/**
 * Starts a sandbox for one test file, with its controls and a server for media. With an official description (`openApi`), every
 * request that Carillon sends to it is validated, and `close` fails if one violates the description.
 */
export async function sandboxFor(network: string, { described }: { described?: RequestCheck } = {}) {
  const dir = await mkdtemp(join(tmpdir(), "carillon-sandbox-"));
  const [sandbox, media] = await Promise.all([startSandbox({ port: 0, dir }), mediaServer()]);
  // By address, because looking up `localhost` for each connection costs more than the request.
  const proxy = described && (await checkingProxy(`http://127.0.0.1:${sandbox.port}`, network, described));
  const control = async (path: string, body?: object): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : {};
    const response = await sandbox.control(path, init);
    if (!response.ok) throw new Error(`_control/${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    url: proxy?.url ?? sandbox.url,
    fault: ({ times = 1, ...fault }: Fault) => control("faults", { network, times, ...fault }),
    /** Calls a control endpoint and returns its answer, if any. */
    async control(path: string, body: object) {
      const answer = await (await control(path, body)).text();
      return answer === "" ? undefined : JSON.parse(answer);
    },
    clearFaults: () => sandbox.control("faults", { method: "DELETE" }),
    /** Faults that no call has triggered yet. */
    async faults(): Promise<Fault[]> {
      return (await control("faults")).json();
    },
    reset: () => control("reset", {}),
    advance: (advanceSeconds: number) => control("clock", { advanceSeconds }),
    async posts(): Promise<HeldPost[]> {
      return (await control(`posts?network=${network}`)).json();
    },
    async calls(): Promise<{ operation: string; status: number; path: string }[]> {
      return (await control(`calls?network=${network}`)).json();
    },
    async image({ format = "jpeg" as "jpeg" | "png", width = 400, height = 400, shade = 100 } = {}) {
      const bytes = await pictureOf(format, width, height, shade);
      const facts = { kind: "image", contentType: `image/${format}`, filename: `image.${format}` } as const;
      return { ...media.file(bytes, facts), width, height };
    },
    /** Builds an MP4 of empty frames with this size, valid for everything that reads the container. */
    video({ width = 720, height = 1280, seconds = 5, fps = 30, isFastStart = true, sizeBytes = 0 } = {}) {
      const shortest = mp4({ width, height, seconds, fps, isFastStart });
      const bytes = Buffer.concat([shortest, freeBox(sizeBytes - shortest.length)]);
      const facts = { kind: "video", contentType: "video/mp4", filename: "video.mp4" } as const;
      return { ...media.file(bytes, facts), width, height, durationSeconds: seconds };
    },
    document({ pages = 2, filename = "The bells.pdf" } = {}) {
      const facts = { kind: "document", contentType: "application/pdf", filename } as const;
      return { ...media.file(pdf({ pages }), facts), pages };
    },
    file: media.file,
    async close() {
      await Promise.all([sandbox.close(), media.close()]);
      await rm(dir, { recursive: true, force: true });
      await proxy?.close();
    },
  };
}

/** The encoded pictures, because encoding one takes longer than the rest of most tests. */
const pictures = new Map<string, Promise<Buffer>>();

function pictureOf(format: "jpeg" | "png", width: number, height: number, shade: number): Promise<Buffer> {
  const key = [format, width, height, shade].join(" ");
  const background = { r: shade, g: 120, b: 90 };
  const encode = () =>
    sharp({ create: { width, height, channels: 3, background } })
      .toFormat(format)
      .toBuffer();
  const known = pictures.get(key) ?? encode();
  pictures.set(key, known);
  return known;
}

/** A `free` box of this size (ISO 14496-12, 8.1.2), which readers skip; empty if the size is too small. */
function freeBox(length: number): Buffer {
  if (length < 8) return Buffer.alloc(0);
  const box = Buffer.alloc(length);
  box.writeUInt32BE(length, 0);
  box.write("free", 4, "latin1");
  return box;
}

export type TestSandbox = Awaited<ReturnType<typeof sandboxFor>>;

/** Starts a small web server for media, which can be opened and fetched by address. */
async function mediaServer() {
  const files = new Map<string, { bytes: Uint8Array; contentType: string }>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (!file) return void response.writeHead(404).end();
    const head = { "content-type": file.contentType, "content-length": file.bytes.length };
    response.writeHead(200, head).end(request.method === "HEAD" ? undefined : file.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server, so this is never a pipe name
  return {
    file(bytes: Uint8Array, facts: Pick<OutgoingMedia, "kind" | "contentType" | "filename">): OutgoingMedia {
      return {
        ...facts,
        sizeBytes: bytes.length,
        open: async (range) => streamOf(bytes.subarray(range?.first, range && range.last + 1)),
        async publicUrl() {
          const path = `/${randomBytes(8).toString("hex")}/${facts.filename}`;
          files.set(path, { bytes, contentType: facts.contentType });
          return `http://127.0.0.1:${port}${path}`;
        },
      };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const PIECE_BYTES = 1_048_576;

/** Returns the bytes in large pieces. The stream of a `Blob` copies them and has small pieces, which makes large files slow. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
      if (at >= bytes.length) controller.close();
    },
  });
}

import { request } from "node:http";
import { text } from "node:stream/consumers";

export type Sent = { seconds: number; status: number; body: string };
type Message = { method: string; headers?: { [name: string]: string }; parts: Buffer[] };

/** Sends a body of several buffers, the large ones in pieces of 1 MiB, and times it from the first byte to the answer. */
export function send(url: string, { method, headers = {}, parts }: Message): Promise<Sent> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const going = request(
      url,
      { method, headers: { ...headers, "Content-Length": String(length) } },
      async (answer) => {
        const body = await text(answer);
        resolve({ seconds: (performance.now() - begun) / 1000, status: answer.statusCode ?? 0, body });
      },
    );
    going.on("error", reject);
    const pieces = parts.flatMap((part) => piecesOf(part));
    const next = () => {
      for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
        if (!going.write(piece)) return void going.once("drain", next);
      }
      going.end();
    };
    next();
  });
}

function piecesOf(part: Buffer): Buffer[] {
  const size = 1_048_576;
  return Array.from({ length: Math.ceil(part.length / size) }, (_, i) => part.subarray(i * size, (i + 1) * size));
}

/** As a browser sends a file named `file`. */
export function formOf(file: Buffer, filename: string): { headers: { [name: string]: string }; parts: Buffer[] } {
  const boundary = "----carillon-bench";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  return {
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    parts: [Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)],
  };
}

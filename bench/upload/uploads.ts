import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const TYPE = "image/jpeg";

/** The upload methods of a client. Each upload is deleted afterwards, so the disk does not fill up. */
export class Uploads {
  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly file: Buffer,
  ) {}

  async direct(): Promise<Sent> {
    const { headers, parts } = formOf(this.file, "large.jpg");
    const authorization = `Bearer ${this.token}`;
    const request = { method: "POST", headers: { ...headers, authorization }, parts };
    const sent = await send(`${this.url}/v1/media/upload`, request);
    if (sent.status !== 200) throw new Error(`The upload failed: ${sent.body}`);
    await this.remove((JSON.parse(sent.body) as { path: string }).path);
    return sent;
  }

  async presigned(): Promise<Sent> {
    const request = { filename: "large.jpg", contentType: TYPE, sizeBytes: this.file.length };
    const grant = (await (await this.call("POST", "urls", request)).json()) as {
      key: string;
      url: string;
      headers: { [name: string]: string };
    };
    const sent = await send(grant.url, { method: "PUT", headers: grant.headers, parts: [this.file] });
    if (sent.status !== 200) throw new Error(`The PUT failed: ${sent.body}`);
    await this.call("POST", "confirm", { key: grant.key });
    await this.remove(grant.key);
    return sent;
  }

  /** Imports a URL. Returns the seconds from the call until the file is ready. */
  async imported(url: string): Promise<number> {
    const begun = performance.now();
    const { id } = (await (await this.call("POST", "import", { url, filenameHint: "large.jpg" })).json()) as {
      id: number;
    };
    for (;;) {
      const task = (await (await this.call("GET", `import/${id}`)).json()) as { state: string; s3Key: string };
      const seconds = (performance.now() - begun) / 1000;
      if (task.state.startsWith("FAILED")) throw new Error(`The import failed: ${JSON.stringify(task)}`);
      if (task.state === "READY") {
        await this.remove(task.s3Key);
        return seconds;
      }
      await sleep(10);
    }
  }

  private call(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
    return fetch(`${this.url}/v1/media/upload/${path}`, { method, headers, body: body && JSON.stringify(body) });
  }

  private async remove(key: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}` };
    await fetch(`${this.url}/v1/media/${key.split("/")[1]}`, { method: "DELETE", headers });
  }
}

type Sent = { seconds: number; status: number; body: string };
type Message = { method: string; headers?: { [name: string]: string }; parts: Buffer[] };

/** Sends a body of several buffers in pieces of 1 MiB, and measures the time from the first byte to the response. */
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

/** A multipart body like a browser's, with the field `file`. */
export function formOf(file: Buffer, filename: string): { headers: { [name: string]: string }; parts: Buffer[] } {
  const boundary = "----carillon-bench";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  return {
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    parts: [Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)],
  };
}

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import sharp from "sharp";
import { type Product, startProduct } from "../../e2e/setup/product";
import { root } from "../../e2e/setup/service";
import { attachToCluster } from "../../lib/db/cluster";
import { growthMb } from "./memory";
import { formOf, type Sent, send } from "./send";

const SIZE = 100 * 1_048_576;
const TYPE = "image/jpeg";

/** Uploads of 100 MB beside a bare PUT: interleaved rounds, medians; then memory above rest. */
export async function measureUpload({ short }: { short: boolean }): Promise<void> {
  const rounds = short ? 3 : 7;
  const product = await startProduct({ env: { WORKER: "off" } });
  const folder = await mkdtemp(join(tmpdir(), "carillon-bench-"));
  const reference = await startReference(folder);
  try {
    const file = await largeFile();
    const uploads = new Uploads(product.url, await tokenOf(product), file);
    const put = () => send(reference.url, { method: "PUT", parts: [file] });
    // First of all: memory that was used once is at rest afterwards.
    await uploads.list(); // opens a connection to the database, by whose name the process is found
    const pid = await servingPid(product);
    const one = await growthMb(pid, () => uploads.direct());
    const eight = await growthMb(pid, () => Promise.all(Array.from({ length: 8 }, () => uploads.direct())));
    const ratios: { direct: number; presigned: number }[] = [];
    for (let round = -1; round < rounds; round++) {
      const [direct, bare, presigned] = [await uploads.direct(), await put(), await uploads.presigned()];
      // The first round warms up.
      if (round < 0) continue;
      ratios.push({ direct: bare.seconds / direct.seconds, presigned: bare.seconds / presigned.seconds });
      console.error(
        `round ${round + 1} of ${rounds}: ${[direct, bare, presigned].map((one) => one.seconds.toFixed(2))}`,
      );
    }
    const found = {
      direct: median(ratios.map(({ direct }) => direct)),
      presigned: median(ratios.map(({ presigned }) => presigned)),
      oneMb: one,
      eightMb: eight,
    };
    await report(found, ratios);
  } finally {
    reference.stop();
    await rm(folder, { recursive: true, force: true });
    await product.stop();
  }
}

/** What a client does; everything that was kept is removed again, so that the disk does not fill up. */
class Uploads {
  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly file: Buffer,
  ) {}

  async direct(): Promise<Sent> {
    const { headers, parts } = formOf(this.file, "large.jpg");
    const authorization = `Bearer ${this.token}`;
    const sent = await send(`${this.url}/v1/media/upload`, {
      method: "POST",
      headers: { ...headers, authorization },
      parts,
    });
    if (sent.status !== 200) throw new Error(`the upload was refused: ${sent.body}`);
    await this.remove((JSON.parse(sent.body) as { path: string }).path);
    return sent;
  }

  async presigned(): Promise<Sent> {
    const asked = { filename: "large.jpg", contentType: TYPE, sizeBytes: this.file.length };
    const grant = (await (await this.call("POST", "urls", asked)).json()) as {
      key: string;
      url: string;
      headers: { [name: string]: string };
    };
    const sent = await send(grant.url, { method: "PUT", headers: grant.headers, parts: [this.file] });
    if (sent.status !== 200) throw new Error(`the PUT was refused: ${sent.body}`);
    await this.call("POST", "confirm", { key: grant.key });
    await this.remove(grant.key);
    return sent;
  }

  async list(): Promise<void> {
    await fetch(`${this.url}/v1/media`, { headers: { authorization: `Bearer ${this.token}` } });
  }

  private call(method: string, path: string, body: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
    return fetch(`${this.url}/v1/media/upload/${path}`, { method, headers, body: JSON.stringify(body) });
  }

  private async remove(key: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}` };
    await fetch(`${this.url}/v1/media/${key.split("/")[1]}`, { method: "DELETE", headers });
  }
}

/** A picture with so much behind its end that it has 100 MB. */
async function largeFile(): Promise<Buffer> {
  const file = Buffer.alloc(SIZE, 7);
  const picture = await sharp({ create: { width: 1200, height: 800, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  file.set(picture);
  return file;
}

async function tokenOf(product: Product): Promise<string> {
  const email = "uploader@example.com";
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const made = await product.carillon("tokens", "create", "--user", email);
  return (made as { access_token: string }).access_token;
}

/** The process that serves, by the name that its connections give. */
async function servingPid(product: Product): Promise<number> {
  const client = new pg.Client({ connectionString: await attachToCluster(product.dataDir) });
  await client.connect();
  const { rows } = await client.query(
    "select split_part(application_name, ' ', 2)::int as pid from pg_stat_activity where application_name ~ '^carillon [0-9]+$' limit 1",
  );
  await client.end();
  return rows[0]?.pid;
}

async function startReference(folder: string): Promise<{ url: string; stop(): void }> {
  const script = join(root, "bench/upload/reference.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve, reject) => {
    child.on("exit", () => reject(new Error("the reference server did not start")));
    child.stdout.on("data", (data) => {
      const listening = /listening on (\d+)/.exec(String(data));
      if (listening) resolve(Number(listening[1]));
    });
  });
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

type Found = { direct: number; presigned: number; oneMb: number; eightMb: number };

async function report(found: Found, ratios: object[]): Promise<void> {
  console.log("| what | measured | bar | goal |\n|---|---|---|---|");
  console.log(`| direct upload of 100 MB ÷ bare PUT | ${found.direct.toFixed(2)} | 0.40 | 0.60 |`);
  console.log(`| pre-signed PUT to the embedded store ÷ bare PUT | ${found.presigned.toFixed(2)} | 0.60 | 0.80 |`);
  console.log(`| memory above rest, one upload | ${Math.round(found.oneMb)} MB | 64 | 24 |`);
  console.log(`| memory above rest, eight uploads | ${Math.round(found.eightMb)} MB | 200 | 64 |`);
  await mkdir(join(root, "bench/results"), { recursive: true });
  const text = JSON.stringify({ at: new Date().toISOString(), node: process.version, found, ratios }, null, 2);
  await writeFile(join(root, "bench/results/upload.json"), text);
}

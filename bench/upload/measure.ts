import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { type OwnProduct, startProduct } from "../../e2e/setup/product";
import { root } from "../../e2e/setup/service";
import { freePort } from "../../lib/db/embedded/run";
import { cpuSecondsOfAll, growthMb } from "../processes";
import { send, Uploads } from "./uploads";

const SIZE = 100 * 1_048_576;

type Round = { [what in "bare" | "direct" | "presigned" | "curl" | "imported"]: Cost };
type Cost = { seconds: number; cpu: number };

/** Compares each kind of upload of 100 MB with a bare PUT or `curl`, in interleaved rounds, and measures the memory growth. */
export async function measureUpload({ short }: { short: boolean }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "carillon-bench-"));
  const file = await largeFile();
  const port = await freePort();
  const source = await serve(file, port);
  const product = await startProduct({ env: { EGRESS_ALLOW: `127.0.0.1+127.0.0.1+${port}` } });
  const reference = await startReference(folder);
  try {
    const uploads = new Uploads(product.url, await tokenOf(product), file);
    const url = `http://127.0.0.1:${port}/large.jpg`;
    const web = product.webPid();
    await uploads.direct(); // warm up, so that the baseline includes one-time allocations
    await uploads.imported(url);
    const memory = {
      one: await growthMb(web, () => uploads.direct()),
      eight: await growthMb(web, () => Promise.all(Array.from({ length: 8 }, () => uploads.direct()))),
      imported: await growthMb(web, () => uploads.imported(url)),
    };
    const curl = () => promisify(execFile)("curl", ["-s", "-o", join(folder, "curl"), url]);
    const put = () => send(reference.url, { method: "PUT", parts: [file] });
    const rounds: Round[] = [];
    for (let round = 0; round <= (short ? 3 : 7); round++) {
      const took = {
        bare: await costOf(reference.pid, put),
        direct: await costOf(web, () => uploads.direct()),
        presigned: await costOf(web, () => uploads.presigned()),
        curl: await costOf(0, curl),
        imported: await costOf(web, () => uploads.imported(url)),
      };
      const shown = Object.entries(took).map(([what, { seconds }]) => `${what} ${seconds.toFixed(2)}`);
      console.error(`${round === 0 ? "warming up" : `round ${round}`}: ${shown.join(", ")}`);
      if (round > 0) rounds.push(took);
    }
    await report(rounds, memory);
  } finally {
    reference.stop();
    source.close();
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The duration of the work (as it reports it, if it does) and the CPU seconds of a process. */
async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  const [begun, before] = [performance.now(), await cpuSecondsOfAll(pid)];
  const result = await work();
  const seconds = secondsIn(result) ?? (performance.now() - begun) / 1000;
  return { seconds, cpu: (await cpuSecondsOfAll(pid)) - before };
}

function secondsIn(result: unknown): number | undefined {
  if (typeof result === "number") return result;
  return typeof result === "object" && result !== null && "seconds" in result ? Number(result.seconds) : undefined;
}

/** A JPEG padded to 100 MB. */
async function largeFile(): Promise<Buffer> {
  const file = Buffer.alloc(SIZE, 7);
  const picture = await sharp({ create: { width: 1200, height: 800, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  file.set(picture);
  return file;
}

async function serve(file: Buffer, port: number): Promise<Server> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": file.length, etag: '"large"' }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

async function tokenOf(product: OwnProduct): Promise<string> {
  const email = "uploader@example.com";
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const created = await product.carillon("tokens", "create", "--user", email);
  return (created as { access_token: string }).access_token;
}

async function startReference(folder: string): Promise<{ url: string; pid: number; stop(): void }> {
  const script = join(root, "bench/upload/reference.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve, reject) => {
    child.on("exit", () => reject(new Error("The reference server did not start")));
    child.stdout.on("data", (data) => {
      const listening = /listening on (\d+)/.exec(String(data));
      if (listening) resolve(Number(listening[1]));
    });
  });
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid ?? 0, stop: () => child.kill() };
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function report(rounds: Round[], memory: { one: number; eight: number; imported: number }): Promise<void> {
  const ratio = (least: keyof Round, what: keyof Round) =>
    median(rounds.map((round) => round[least].seconds / round[what].seconds)).toFixed(2);
  const cpu = (what: keyof Round) => `${Math.round(median(rounds.map((round) => round[what].cpu)) * 1000)} ms`;
  const mb = (value: number) => `${Math.round(value)} MB`;
  const rows = [
    ["direct upload of 100 MB ÷ bare PUT", ratio("bare", "direct"), "0.40", "0.60"],
    ["pre-signed PUT to the embedded store ÷ bare PUT", ratio("bare", "presigned"), "0.60", "0.80"],
    ["import of 100 MB ÷ `curl -o`", ratio("curl", "imported"), "0.25", "0.50"],
    ["memory growth, one upload", mb(memory.one), "64 MB", "24 MB"],
    ["memory growth, eight uploads", mb(memory.eight), "80 MB", "48 MB"],
    ["memory growth, one import", mb(memory.imported), "64 MB", "24 MB"],
    ["CPU time: bare PUT, direct upload", `${cpu("bare")}, ${cpu("direct")}`, "", ""],
    ["CPU time: pre-signed PUT with confirm, import", `${cpu("presigned")}, ${cpu("imported")}`, "", ""],
  ];
  console.log("| what | measured | bar | goal |\n|---|---|---|---|");
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  await mkdir(join(root, "bench/results"), { recursive: true });
  const text = JSON.stringify({ at: new Date().toISOString(), node: process.version, memory, rounds }, null, 2);
  await writeFile(join(root, "bench/results/upload.json"), text);
}

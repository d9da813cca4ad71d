import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attachToCluster, openCluster } from "../../lib/db/cluster";
import { ownPort } from "../../lib/testing/own-port";
import { openCommands } from "./commands";
import { copyEmptyCluster } from "./empty-cluster";
import { type Service, startService } from "./service";

/** A running product as a journey uses it. */
export type Product = {
  url: string;
  sandboxUrl: string;
  dataDir: string;
  /** The environment of the product, for other processes that connect to it. */
  settings: { [name: string]: string };
  /** Runs `npm run carillon -- …` for this product and returns the JSON that it printed. */
  carillon(...args: string[]): Promise<unknown>;
  /** Everything that the web process has printed since it last started. */
  output(): string;
};

/** A product that one test file started for itself, so it may stop, kill and restart its processes. */
export type OwnProduct = Product & {
  /**
   * Stops the web process in order and starts it again on the same ports and data, with these settings changed. `folder` is the
   * checkout that it starts from (default: this one).
   */
  restart(env?: ProductOptions["env"], folder?: string): Promise<void>;
  /** Stops the web process in order; `restart` starts it again. */
  stopWeb(): Promise<void>;
  /** Kills the web process, as a crash would; `restart` starts it again. */
  kill(): Promise<void>;
  /** Starts a worker, as `npm run worker` does in `folder` (default: this checkout), with these settings added to the product's. */
  startWorker(env?: ProductOptions["env"], folder?: string): Promise<Service>;
  /** Closes the pipe that reads the web process's output, as when a log collector ends. */
  leaveUnread(): void;
  /** Process ID of the current web process. */
  webPid(): number;
  /** Stops everything and deletes its data. */
  stop(): Promise<void>;
};

export type ProductOptions = {
  /** Settings added to the ports and the folder that isolate this product. */
  env?: { [name: string]: string };
  /** The Node.js program that runs the product and its command line, from an empty DATA_DIR. The default is the one that runs the tests. */
  node?: string;
  /** The file to which the web process's output is copied, for other processes that join the product. */
  outputFile?: string;
};

/** Starts the built product as a customer would, on its own ports and data, and waits until it serves requests. */
export async function startProduct({
  env = {},
  node = process.execPath,
  outputFile,
}: ProductOptions = {}): Promise<OwnProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), "carillon-e2e-"));
  const [port, sandboxPort] = await Promise.all([ownPort(), ownPort()]);
  const settings = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    BASE_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
    TIME_FACTOR: "60",
    RATE_LIMIT_API: "1000000",
    RATE_LIMIT_AUTH: "1000000",
    ...env,
  };
  const start = (cwd?: string) =>
    startService(["bin/start.mjs"], settings, "Carillon is ready", { node, outputFile, cwd });
  if (node === process.execPath && !env.DATABASE_URL) await copyEmptyCluster(dataDir);
  const commands = openCommands(settings, node);
  const workers: Service[] = [];
  let web = await start().catch(async (error) => {
    await clear(settings);
    throw error;
  });

  return {
    ...addressesOf(settings),
    settings,
    carillon: commands.run,
    async restart(changed = {}, folder) {
      await web.stop();
      if (Object.keys(changed).length > 0) commands.close(); // it starts again with the new settings
      Object.assign(settings, changed);
      web = await start(folder);
    },
    stopWeb: () => web.stop(),
    kill: () => web.kill(),
    async startWorker(more = {}, cwd) {
      const args = ["bin/start.mjs", "--worker"];
      const worker = await startService(args, { ...settings, ...more }, "Carillon worker is ready", { node, cwd });
      workers.push(worker);
      return worker;
    },
    output: () => web.output(),
    leaveUnread: () => web.leaveUnread(),
    webPid: () => web.pid,
    async stop() {
      commands.close();
      await Promise.all([...workers, web].map((service) => service.stop()));
      await clear(settings);
    },
  };
}

/** A product that another process has started, as `startProduct` returns it; `close` leaves it running. */
export function joinProduct(settings: Product["settings"], outputFile: string): Product & { close(): void } {
  const commands = openCommands(settings, process.execPath);
  const output = () => readFileSync(outputFile, "utf8");
  return { ...addressesOf(settings), settings, carillon: commands.run, output, close: commands.close };
}

function addressesOf({ BASE_URL: url = "", SANDBOX_PORT, DATA_DIR: dataDir = "" }: Product["settings"]) {
  return { url, sandboxUrl: `http://localhost:${SANDBOX_PORT}`, dataDir };
}

/** A killed process leaves its database running; joining and leaving it stops it. */
async function clear({ DATA_DIR: dataDir, DATABASE_URL }: { DATA_DIR: string; DATABASE_URL?: string }): Promise<void> {
  const isRunning = !DATABASE_URL && (await attachToCluster(dataDir)) !== undefined;
  if (isRunning) await (await openCluster({ dataDir, purpose: "command" })).release();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

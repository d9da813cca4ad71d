import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openCluster } from "../../lib/db/cluster";
import { ownPort } from "../../lib/testing/own-port";
import { root, type Service, startService, surroundings } from "./service";

export type Product = {
  url: string;
  sandboxUrl: string;
  dataDir: string;
  /** The settings that it runs with, for other processes that are to find it. */
  settings: { [name: string]: string };
  /** Runs `npm run carillon -- …` on it and answers the JSON that it printed. */
  carillon(...args: string[]): Promise<unknown>;
  /** Stops it in order and starts it again, on the same ports and data. */
  restart(): Promise<void>;
  /** Stops the web process in order; `restart` brings it back. */
  stopWeb(): Promise<void>;
  /** Ends the web process at once, as a crash would; `restart` brings it back. */
  kill(): Promise<void>;
  /** Starts one more process that only works, as `npm run worker` does, with these settings beside the product's. */
  startWorker(env?: ProductOptions["env"]): Promise<Service>;
  /** Everything that the web process has printed since it last started. */
  output(): string;
  /** Closes what reads the web process's output, as where a log collector ends. */
  leaveUnread(): void;
  /** The web process that runs now. */
  webPid(): number;
  /** Stops everything and deletes its data. */
  stop(): Promise<void>;
};

export type ProductOptions = {
  /** Settings beside those that keep it apart from others. */
  env?: { [name: string]: string };
  /** The Node.js program that runs the product and its command line. The default is the one that runs the tests. */
  node?: string;
};

/** Starts the built product as a customer would, on ports and data of its own, and waits until it serves. */
export async function startProduct({ env = {}, node = process.execPath }: ProductOptions = {}): Promise<Product> {
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
  const start = () => startService(["bin/start.mjs"], settings, "Carillon is ready", node);
  const workers: Service[] = [];
  let web = await start().catch(async (error) => {
    await clear(settings);
    throw error;
  });

  return {
    url: settings.BASE_URL,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    dataDir,
    settings,
    async carillon(...args) {
      const command = promisify(execFile)(node, [join(root, "bin/carillon.mjs"), ...args], {
        cwd: root,
        env: { ...surroundings, ...settings },
      });
      const { stdout } = await command;
      return JSON.parse(stdout);
    },
    async restart() {
      await web.stop();
      web = await start();
    },
    stopWeb: () => web.stop(),
    kill: () => web.kill(),
    async startWorker(more = {}) {
      const args = ["bin/start.mjs", "--worker"];
      const worker = await startService(args, { ...settings, ...more }, "Carillon worker is ready", node);
      workers.push(worker);
      return worker;
    },
    output: () => web.output(),
    leaveUnread: () => web.leaveUnread(),
    webPid: () => web.pid,
    async stop() {
      await Promise.all([...workers, web].map((service) => service.stop()));
      await clear(settings);
    },
  };
}

/** A killed process leaves its database running; whoever opens and releases it next takes it down. */
async function clear({ DATA_DIR: dataDir, DATABASE_URL }: { DATA_DIR: string; DATABASE_URL?: string }): Promise<void> {
  if (!DATABASE_URL) await (await openCluster({ dataDir, purpose: "command" })).release();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownPort } from "../../lib/testing/own-port";

/** The S3_ settings of an S3-compatible store that checks signatures. */
export type TestBucket = { [name: `S3_${string}`]: string };

const PROXY = "/usr/bin/swift-proxy-server";
const READY_MS = 90_000;
const USER = userInfo().username;
const ROLES = ["account", "container", "object"] as const;

/**
 * Starts OpenStack Swift with its S3 API from Debian's packages, on its own ports and folder: a real server that checks
 * signatures. Returns undefined if it is not installed or does not start.
 */
export async function startSwift(dir: string): Promise<{ settings: TestBucket; stop(): void } | undefined> {
  if (!existsSync(PROXY) || !existsSync("/etc/swift/swift.conf")) return undefined;
  const children: ChildProcess[] = [];
  const stop = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  try {
    await mkdir(join(dir, "devices", "d1"), { recursive: true });
    const ports = await Promise.all([ownPort(), ownPort(), ownPort(), ownPort(), ownPort()]);
    const [port = 0, cachePort = 0] = ports.slice(ROLES.length);
    for (const role of ROLES) await writeFile(join(dir, `${role}.conf`), storageSettings(dir, role));
    await writeFile(join(dir, "proxy.conf"), proxySettings(dir, cachePort));
    children.push(started("/usr/bin/memcached", ["-l", "127.0.0.1", "-p", String(cachePort), "-U", "0", "-u", USER]));
    const servers = [...ROLES, "proxy"].map((role, index) => `${role}:${ports[index]}`);
    children.push(
      started("/usr/bin/python3", [fileURLToPath(new URL("serve-swift.py", import.meta.url)), dir, ...servers]),
    );
    await Promise.all(ports.map(listening));
    const settings = {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: "carillon",
      S3_REGION: "us-east-1",
      S3_ACCESS_KEY_ID: "test:tester",
      S3_SECRET_ACCESS_KEY: "testing",
    };
    await makeBucket(settings);
    return { settings, stop };
  } catch (error) {
    stop();
    console.error("Swift does not start; the tests on S3 are skipped.", error);
    return undefined;
  }
}

/** Starts a child process that is killed when this process ends for any reason. */
function started(program: string, args: string[]): ChildProcess {
  return spawn("setpriv", ["--pdeathsig", "KILL", program, ...args], { stdio: "ignore" });
}

const common = (dir: string) => `[DEFAULT]
swift_dir = ${dir}
devices = ${join(dir, "devices")}
mount_check = false
log_level = ERROR
`;

const storageSettings = (dir: string, role: string) => `${common(dir)}
[pipeline:main]
pipeline = ${role}-server
[app:${role}-server]
use = egg:swift#${role}
${patience}`;

/** On a busy machine the servers answer late. By default Swift gives up after 0.5 s, and uses no server for 60 s after ten faults. */
const patience = `conn_timeout = 30
node_timeout = 60
error_suppression_limit = 1000000
`;

const proxySettings = (dir: string, cachePort: number) => `${common(dir)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
${patience}[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
`;

async function listening(port: number): Promise<void> {
  await retried(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = createConnection(port, "127.0.0.1", () => {
          socket.destroy();
          resolve();
        });
        socket.on("error", reject);
      }),
  );
}

/** The first requests to servers that have just started may fail. */
async function makeBucket(settings: TestBucket): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID ?? "", secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? "" },
    forcePathStyle: true,
    maxAttempts: 1,
  });
  await retried(() => client.send(new CreateBucketCommand({ Bucket: settings.S3_BUCKET })));
  client.destroy();
}

async function retried(work: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + READY_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

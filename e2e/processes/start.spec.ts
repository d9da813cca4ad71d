import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { ownPort } from "../../lib/testing/own-port";
import { type OwnProduct, startProduct } from "../setup/product";
import { READY_MS, root, startService, surroundings } from "../setup/service";
import { send } from "../trials/http";

/** Runs `npm start` with these settings until it ends. */
function start(settings: { [name: string]: string }): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...surroundings, ...settings }, timeout: READY_MS };
    const child = execFile(process.execPath, ["bin/start.mjs"], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** The file that collects uncaught errors of the product's processes. */
const uncaughtIn = (dir: string) => join(dir, "uncaught");

/** The JSON lines of the log, without the lines for people in between. */
function logged(product: OwnProduct): { [field: string]: unknown }[] {
  const lines = product.output().split("\n");
  return lines.filter((line) => line.startsWith("{") && line.endsWith("}")).map((line) => JSON.parse(line));
}

const isUp = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

test.describe("npm start", () => {
  let product: OwnProduct;
  let dir: string;

  test.beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "carillon-start-"));
    await writeFile(uncaughtIn(dir), "");
    const env = { NODE_OPTIONS: `--require ${root}/e2e/setup/uncaught.cjs`, UNCAUGHT_FILE: uncaughtIn(dir) };
    product = await startProduct({ env });
  });
  test.afterAll(async () => {
    await product?.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  test("it listens only on loopback while all addresses are loopback", async () => {
    const isOpen = async (host: string) => {
      const socket = connect(Number(product.settings.PORT), host);
      const [error] = await Promise.race([once(socket, "connect"), once(socket, "close")]).catch((reason) => [reason]);
      socket.destroy();
      return error === undefined;
    };
    // Every address of this network is the same machine, so a server that listens everywhere would answer at the second one.
    expect([await isOpen("127.0.0.1"), await isOpen("127.0.0.2")]).toEqual([true, false]);
  });

  test("a second start on the same DATA_DIR is refused with a clear message, and the first one keeps running", async () => {
    const [port, sandboxPort] = await Promise.all([ownPort(), ownPort()]);
    const { code, output } = await start({
      DATA_DIR: product.dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
    });
    expect(code).toBe(1);
    expect(output).toContain(`${product.dataDir} is in use by another Carillon (process `);
    expect((await fetch(`${product.url}/v1/accounts`)).status).toBe(401);
    expect(await isUp(product.sandboxUrl)).toBe(true);
  });

  test("the request ID of every answer, including errors, is in the log", async () => {
    for (const [method, path] of [
      ["GET", "/v1/openapi.json"],
      ["GET", "/v1/accounts"],
      ["DELETE", "/v1/nothing"],
      ["POST", "/oauth/token"],
      ["POST", "/oauth/revoke"],
      ["GET", "/media/nothing"],
      ["GET", "/.well-known/jwks.json"],
    ] as const) {
      const { status, headers } = await send(product.url, path, { method });
      const requestId = headers["x-request-id"];
      expect(requestId, path).toMatch(/^[0-9a-f-]{36}$/);
      await expect
        .poll(() => logged(product).filter((line) => line.requestId === requestId))
        .toEqual([expect.objectContaining({ method, path, status })]);
    }
  });

  test("a URL that cannot be decoded returns a 4xx status on every path", async () => {
    for (const [path, status] of [
      ["/%", 400],
      ["/docs/%ff", 400],
      ["/oauth/connect/callback/%", 400],
      ["/oauth/connect/callback/%E0%A4%A?state=1", 400],
      ["/oauth/connect/callback/x?state=%", 410],
      ["/oauth/connect?whitelabel_state=%E0%A4%A", 410],
      ["/v1/posts/%", 401],
    ] as const) {
      expect([path, (await send(product.url, path)).status]).toEqual([path, status]);
    }
  });

  test("it says that publishing is paused, why, and what ends it", async () => {
    expect(product.output()).not.toContain("Publishing is");
    await product.carillon("publishing", "pause", "--reason", "X is investigating");
    await product.restart();
    await product.carillon("publishing", "resume");
    expect(product.output()).toContain(
      "Publishing is paused (X is investigating). To let it go on: npm run carillon -- publishing resume\n",
    );
  });

  test("closing the pipe of its output neither stops it nor causes an error, and it stops when told to", async () => {
    product.leaveUnread();
    process.kill(product.webPid(), "SIGUSR2"); // prints two lines at once
    expect((await send(product.url, "/v1/accounts")).status).toBe(401);
    await product.stopWeb(); // prints "Stopping …" to the closed pipe
    expect(await readFile(uncaughtIn(dir), "utf8")).toBe("");
  });

  test("while it is stopped, the sandbox is stopped too, and the command line works", async () => {
    await product.stopWeb();
    expect(await isUp(product.url)).toBe(false);
    expect(await isUp(product.sandboxUrl)).toBe(false);
    const email = "later@example.com";
    await product.carillon("users", "create", "--email", email, "--password", "a long password");
    const args = ["--user", email, "--platform", "TELEGRAM", "--person", "later"];
    expect(await product.carillon("accounts", "connect-sandbox", ...args)).toEqual(
      expect.objectContaining({ platform: "TELEGRAM", accountUsername: "later" }),
    );
  });

  test("SIGTERM reaches it through npm: it is not ready, still answers, finishes a running request and ends", async () => {
    const service = await startService(["start"], product.settings, "Carillon is ready", { node: "npm" });
    const health = async () => {
      const answer = await fetch(`${product.url}/health/ready`);
      return { status: answer.status, draining: (await answer.json()).checks.draining };
    };
    await expect.poll(health).toEqual({ status: 200, draining: false });
    const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "3" };
    const running = request(`${product.url}/oauth/token`, { method: "POST", headers, agent: false });
    const answered = once(running, "response");
    running.write("a=");
    await expect.poll(() => running.socket?.bytesWritten).toBeGreaterThan(0);
    const ended = service.terminate();
    await expect.poll(health).toEqual({ status: 503, draining: true });
    expect((await send(product.url, "/v1/accounts")).status).toBe(401);
    await expect.poll(() => isUp(product.url)).toBe(false);
    running.end("b");
    const [answer] = await answered;
    expect(answer.statusCode).toBe(400);
    await ended;
    expect(await isUp(product.sandboxUrl)).toBe(false);
  });
});

test("invalid settings stop the start, each with its name, the problem and an example", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "carillon-settings-"));
  const { code, output } = await start({ DATA_DIR: dataDir, PORT: "eighty", SANDBOX: "perhaps", X_CLIENT_ID: "one" });
  await rm(dataDir, { recursive: true });
  expect(code).toBe(1);
  expect(output).toContain('PORT: "eighty" is not a whole number between 1 and 65535. Example: PORT=3000');
  expect(output).toContain('SANDBOX: "perhaps" is not on or off. Example: SANDBOX=off');
  expect(output).toContain("X_CLIENT_SECRET: is required because X_CLIENT_ID is set.");
});

test("a port of the sandbox that is in use stops the start, with what to do", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "carillon-sandbox-port-"));
  const [port, sandboxPort] = await Promise.all([ownPort(), ownPort()]);
  const other = createServer().listen(sandboxPort, "127.0.0.1");
  await once(other, "listening");
  const { code, output } = await start({
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
  });
  other.close();
  await rm(dataDir, { recursive: true, maxRetries: 5 });
  expect(code).toBe(1);
  expect(output).toContain(`The sandbox networks cannot start: port ${sandboxPort} is in use. Set SANDBOX_PORT to`);
  expect(output).toContain("The sandbox networks did not start. Set SANDBOX=off to run without them");
  expect(output).not.toContain("Carillon is ready");
});

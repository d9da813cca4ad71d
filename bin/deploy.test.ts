import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { commands } from "../cli/commands";
import { envSettings } from "../lib/env/settings";
import { ownPort } from "../lib/testing/own-port";

// The files with which operators start Carillon match the product's settings, scripts and time limits.

/** The longest time that the product takes to end: RELIABILITY limits how long requests, uploads and calls may take. */
const STOP_SECONDS = 75;
const UNITS = ["deploy/carillon-web.service", "deploy/carillon-worker@.service"];

const read = (path: string) => readFile(path, "utf8");
const isSetting = (name: string) => Object.hasOwn(envSettings, name) || ["NODE_ENV", "HOME"].includes(name);

type Container = {
  image: string;
  command?: string[];
  args?: string[];
  environment?: { [name: string]: string };
  env?: { name: string; value: string }[];
  healthcheck?: { test?: string[] };
  depends_on?: { [name: string]: { condition: string } };
  stop_grace_period?: string;
  read_only?: boolean;
};

async function composed(): Promise<{ [name: string]: Container }> {
  return parse(await read("compose.yaml"), { merge: true }).services;
}

type Resource = {
  kind: string;
  metadata: { name: string };
  data?: { [name: string]: string };
  spec: { template?: { spec: { containers: Container[]; terminationGracePeriodSeconds?: number } } };
};

async function kubernetes(): Promise<Resource[]> {
  return parse(await read("deploy/kubernetes.yaml")).items;
}

describe("the image", () => {
  test("runs Node as process 1, as a user without privileges, with settings that exist", async () => {
    const text = await read("Containerfile");
    expect(text).toContain('ENTRYPOINT ["node"]');
    expect(text).toMatch(/^USER 1000:1000$/m);
    const names = [...(/^ENV (.*)$/m.exec(text)?.[1] ?? "").matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
    expect(names).toContain("DATA_DIR");
  });

  test("has the Node version of .nvmrc, on which `npm test` starts the product", async () => {
    const bases = (await read("Containerfile")).match(/^FROM \S+/gm);
    const base = `FROM docker.io/library/node:${(await read(".nvmrc")).trim()}-bookworm-slim`;
    expect(bases).toEqual([base, base]);
  });

  test("is built from every file that its build copies", async () => {
    const allowed = (await read(".dockerignore")).split("\n").filter((line) => line.startsWith("!"));
    const [, list = ""] = /^cp -a ([\s\S]*?)"\$target"/m.exec(await read("deploy/image/build.sh")) ?? [];
    const built = [".next", "dist", "node_modules"];
    const copied = list.split(/[\s\\]+/).filter((path) => path && !built.includes(path));
    expect(copied.length).toBeGreaterThan(10);
    const isAllowed = (path: string) => allowed.some((line) => line === `!${path}` || line.startsWith(`!${path}/`));
    expect(copied.filter((path) => !isAllowed(path))).toEqual([]);
    await Promise.all(copied.map((path) => access(path)));
  });

  test("runs the two commands of step 3 of docs/operate.md, so `npm run check:image` tests them", async () => {
    const [, block = ""] = /^3\. [\s\S]*?```sh\n([\s\S]*?)```/m.exec(await read("docs/operate.md")) ?? [];
    const [install = "", build = "", ...more] = block.split("\n").flatMap((line) => line.trim() || []);
    expect([install, build, more]).toEqual(["npm ci --omit=dev --workspaces=false", "node bin/start.mjs --build", []]);
    expect(await read("deploy/image/install.sh")).toContain(install);
    expect(await read("deploy/image/build.sh")).toContain(build);
  });

  test("every program that a container starts is in the checkout", async () => {
    const started = [
      ...Object.values(await composed()).flatMap(({ command = [] }) => command),
      ...(await kubernetes()).flatMap(
        ({ spec }) => spec?.template?.spec.containers.flatMap(({ args = [] }) => args) ?? [],
      ),
      ...((await read("Containerfile")).match(/bin\/\w+\.mjs/g) ?? []),
    ].filter((word) => word.endsWith(".mjs"));
    expect(started.length).toBeGreaterThan(5);
    await Promise.all(started.map((path) => access(path)));
  });
});

describe("compose.yaml", () => {
  const isOurs = ([, { image }]: [string, Container]) => image === "carillon";

  test("two web processes and two workers start after the migration, with settings that exist", async () => {
    const ours = Object.entries(await composed()).filter(isOurs);
    const lasting = ours.filter(([name]) => /^(web|worker)-\d$/.test(name));
    expect(lasting.map(([name]) => name)).toEqual(["web-1", "web-2", "worker-1", "worker-2"]);
    for (const [name, { environment = {}, depends_on, stop_grace_period, read_only }] of lasting) {
      expect([name, Object.keys(environment).filter((setting) => !isSetting(setting))]).toEqual([name, []]);
      // A process that starts before the bucket exists ends, and `up --wait` would report that.
      for (const before of ["migrate", "store-bucket"])
        expect([name, depends_on?.[before]]).toEqual([name, { condition: "service_completed_successfully" }]);
      expect(stop_grace_period).toBe(`${STOP_SECONDS}s`);
      expect(read_only).toBe(true);
    }
    const only = (name: string) => Object.keys(Object.fromEntries(lasting)[name]?.environment ?? {});
    expect([only("web-1").includes("WORKER"), only("worker-1").includes("HEALTH_PORT")]).toEqual([true, true]);
  });

  test("deploy/compose.env lists every variable that must be set", async () => {
    const text = await read("compose.yaml");
    const needed = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name));
    const listed = new Set((await read("deploy/compose.env")).match(/^\w+(?==)/gm));
    expect(needed.size).toBeGreaterThan(3);
    expect([...needed].filter((name) => !listed.has(name))).toEqual([]);
  });

  test("the database and the store have health checks, and the others have the image's", async () => {
    const others = Object.entries(await composed()).filter((one) => !isOurs(one));
    const unchecked = others.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name);
    expect(unchecked).toEqual(["proxy"]);
  });

  test("the database counts as healthy only when it answers over TCP, as its users ask it", async () => {
    // While the image creates the database, its server answers on the socket only, and then stops once more.
    const { test: command = [] } = (await composed()).database?.healthcheck ?? {};
    expect(command.slice(0, 2)).toEqual(["CMD", "pg_isready"]);
    expect(command[command.indexOf("-h") + 1]).toBe("127.0.0.1");
  });
});

describe("deploy/kubernetes.yaml", () => {
  test("has a migration, both kinds of process, a service and two disruption budgets, with settings that exist", async () => {
    const resources = await kubernetes();
    const kinds = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(kinds).toEqual([
      "ConfigMap carillon-settings",
      "Job carillon-migrate",
      "Deployment carillon-web",
      "Deployment carillon-worker",
      "Service carillon",
      "PodDisruptionBudget carillon-web",
      "PodDisruptionBudget carillon-worker",
    ]);
    const names = resources.flatMap(({ data = {}, spec }) => [
      ...Object.keys(data),
      ...(spec?.template?.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)) ?? []),
    ]);
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
    for (const { kind, spec } of resources) {
      if (kind === "Deployment") expect(spec.template?.spec.terminationGracePeriodSeconds).toBe(STOP_SECONDS);
    }
  });
});

describe("the systemd units", () => {
  test.each(UNITS)("%s sets only settings that exist and gives the process time to end", async (path) => {
    const text = await read(path);
    const set = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
    expect(set.map((one) => one.split("=", 1)[0] ?? "").filter((name) => !isSetting(name))).toEqual([]);
    expect(text).toContain(`TimeoutStopSec=${STOP_SECONDS}\n`);
  });

  test("systemd accepts them", async ({ skip }) => {
    const run = promisify(execFile);
    await run("systemd-analyze", ["--version"]).catch(() => skip("systemd-analyze is not installed"));
    const folder = await mkdtemp(join(tmpdir(), "carillon-units-"));
    try {
      // systemd wants the program and the documentation to exist.
      for (const path of UNITS) {
        const text = (await read(path))
          .replaceAll("/usr/bin/node", process.execPath)
          .replace(/^(Documentation|User|Group)=.*\n/gm, "");
        await writeFile(join(folder, basename(path).replace("@", "@1")), text);
      }
      const files = UNITS.map((path) => join(folder, basename(path).replace("@", "@1")));
      const { stdout, stderr } = await run("systemd-analyze", ["verify", ...files]);
      expect(stdout + stderr).toBe("");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("both web processes answer 503, as they do while the database is down", () => {
  test.for([
    ["deploy/nginx.conf", "/usr/sbin/nginx", startNginx],
    ["deploy/Caddyfile", "/usr/bin/caddy", startCaddy],
  ] as const)("%s: every answer is a 503 in JSON with Retry-After", async ([path, program, start], { skip }) => {
    await access(program).catch(() => skip(`${program} is not installed`));
    const webs = [1, 2].map(() =>
      createServer((_, response) => response.writeHead(503, { "retry-after": "5" }).end('{"error":"down"}')),
    );
    for (const web of webs) await once(web.listen(0, "127.0.0.1"), "listening");
    const [one = "", two = ""] = webs.map((web) => `127.0.0.1:${(web.address() as AddressInfo).port}`);
    const folder = await mkdtemp(join(tmpdir(), "carillon-proxy-"));
    const port = await ownPort();
    const proxy = await start({ program, site: await read(path), folder, port, webs: [one, two] });
    const ended = once(proxy, "close");
    try {
      const ask = async () => {
        const answer = await fetch(`http://localhost:${port}/v1/posts`);
        const json = await answer.json().catch(() => ({ "not JSON": true }));
        return [answer.status, answer.headers.get("retry-after"), Object.keys(json).join()];
      };
      await expect.poll(() => ask().catch(() => "nothing listens yet")).not.toBe("nothing listens yet");
      const answers = await Promise.all(Array.from({ length: 10 }, ask));
      expect(answers).toEqual(Array.from({ length: 10 }, () => [503, "5", "error"]));
    } finally {
      proxy.kill("SIGTERM");
      await ended;
      for (const web of webs) web.close().closeAllConnections();
      await rm(folder, { recursive: true });
    }
  });
});

type Proxy = { program: string; site: string; folder: string; port: number; webs: [string, string] };

/** Starts nginx with the file of the recipe, without TLS. */
async function startNginx({ program, site, folder, port, webs }: Proxy) {
  const here = site
    .replace("10.0.0.11:3000", webs[0])
    .replace("10.0.0.12:3000", webs[1])
    .replace("listen 443 ssl", `listen 127.0.0.1:${port}`)
    .replaceAll(/^\s*ssl_.*$/gm, "")
    .replace("/var/log/nginx/carillon.log", join(folder, "access.log"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
  const file = join(folder, "nginx.conf");
  await writeFile(file, `pid ${folder}/pid; daemon off;\nevents {}\nhttp { ${temporary.join(" ")}\n${here} }\n`);
  return spawn(program, ["-c", file, "-e", "stderr"], { stdio: "ignore" });
}

/** Starts Caddy with the file of compose.yaml, without TLS. */
async function startCaddy({ program, site, folder, port, webs }: Proxy) {
  const here = site
    .replace("store.{$DOMAIN}", `http://store.localhost:${port}`)
    .replace("{$DOMAIN}", `http://localhost:${port}`)
    .replace("web-1:3000 web-2:3000", webs.join(" "));
  const file = join(folder, "Caddyfile");
  await writeFile(file, `{\n\tadmin off\n}\n${here}`);
  const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, HOME: folder };
  return spawn(program, ["run", "--adapter", "caddyfile", "--config", file], { stdio: "ignore", env });
}

describe("docs/operate.md", () => {
  test("names only files, settings and commands that exist", async () => {
    const text = await read("docs/operate.md");
    const files = new Set(text.match(/\b(deploy\/[\w@.-]+|bin\/\w+\.mjs|compose\.yaml|Containerfile)/g));
    expect(files.size).toBeGreaterThan(6);
    await Promise.all([...files].map((path) => access(path)));
    const [, file = ""] = /```ini\n([\s\S]*?)```/.exec(text) ?? [];
    const set = [...file.matchAll(/^ *(\w+)=/gm)].map(([, name = ""]) => name);
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((name) => !isSetting(name))).toEqual([]);
    const used = [...text.matchAll(/npm run carillon -- ([a-z][a-z-]*(?: [a-z-]+)?)/g)].map(([, words = ""]) => words);
    expect(used.length).toBeGreaterThan(5);
    const isCommand = (words: string) =>
      Object.hasOwn(commands, words) || Object.hasOwn(commands, words.split(" ")[0] ?? "");
    expect(used.filter((words) => !isCommand(words))).toEqual([]);
  });
});

test("the script that creates the bucket names the settings that it lacks", async () => {
  const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, S3_BUCKET: "media", S3_REGION: "eu" };
  const { code, stderr } = await promisify(execFile)("node", ["deploy/create-bucket.mjs"], { env }).catch((e) => e);
  const named = "S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, BASE_URL";
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Not set: ${named}. Give this script the settings`)]);
});

describe("the image's health check", () => {
  /** Serves `/health/ready` with a status. Returns the port. */
  async function answering(status: number): Promise<string> {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/health/ready" ? status : 404).end("checks");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return String((server.address() as AddressInfo).port);
  }
  const check = (env: { [name: string]: string }) =>
    promisify(execFile)(process.execPath, ["bin/healthy.mjs"], { env: { NODE_ENV: "test", ...env } }).then(
      () => "ready",
      ({ code, stderr }) => [code, stderr.trim()],
    );

  test("asks the port that the process of the container answers", async () => {
    const [ready, unready, closed] = [await answering(200), await answering(503), String(await ownPort())];
    expect(await check({ PORT: ready })).toBe("ready");
    expect(await check({ PORT: unready })).toEqual([1, "not ready: 503 checks"]);
    expect(await check({ PORT: closed, HEALTH_PORT: ready })).toBe("ready"); // a worker
    expect(await check({ PORT: ready, HEALTH_PORT: unready })).toEqual([1, "not ready: 503 checks"]);
    expect(await check({ PORT: ready, HEALTH_PORT: closed })).toBe("ready"); // a web process
    expect(await check({ PORT: closed, HEALTH_PORT: closed })).toEqual([1, "not ready: fetch failed"]);
  });
});

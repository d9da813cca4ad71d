import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "playwright/test";
import { Agent, fetch } from "undici";
import { ownPort } from "../../lib/testing/own-port";
import { openServers, type Servers } from "../chaos/postgres";
import { picture } from "../setup/files";
import { root, type Service, startService, surroundings } from "../setup/service";
import { startSwift } from "../setup/swift";

// The recipe for many machines in docs/operate.md, with its own commands, settings and files: an external database and bucket, two
// web processes behind nginx and two workers. Only addresses, ports, folders and secrets are replaced. systemd's part is played by
// the test, which starts what the units say. `npm ci` and the build of step 3 run in `npm run check:image`.

const NGINX = "/usr/sbin/nginx";
const DOCTOR = "npm run carillon -- doctor";
const run = promisify(execFile);

let folder: string;
let recipe: {
  sql: string;
  settings: string;
  migrate: string;
  commands: { others: string; doctor: string };
  backup: string;
};
let servers: Servers | undefined;
let store: Awaited<ReturnType<typeof startSwift>>;
const running: Service[] = [];

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-recipe-"));
  recipe = await readRecipe();
});
test.afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()));
  await servers?.close();
  store?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("the recipe for many machines gives two web processes and two workers that publish a post once", async () => {
  servers = await openServers().catch((error) => test.skip(true, String(error)) as never);
  store = await startSwift(join(folder, "swift"));
  test.skip(!store, "OpenStack Swift is not installed");
  test.skip(!existsSync(NGINX), "nginx is not installed");
  const server = await servers.createEmpty();
  for (const one of recipe.sql.split(";").filter((text) => text.trim())) await server.query(one, "postgres");

  const [proxyPort, sandboxPort, ...ports] = await Promise.all(Array.from({ length: 4 }, ownPort));
  const base = `https://localhost:${proxyPort}`;
  const file = join(folder, "settings");
  const changed = {
    BASE_URL: base,
    TRUSTED_PROXIES: "127.0.0.1",
    SANDBOX_PORT: String(sandboxPort),
    ...store?.settings,
  };
  await writeFile(file, settingsFor(recipe.settings, new URL(server.url).host, changed));
  const shell = (text: string) => inShell(text.replaceAll("/etc/carillon/settings", file), file);

  await shell(recipe.migrate);
  const settings = parseSettings(await readFile(file, "utf8"));
  const [one, two] = ports.map(String);
  const starting = [
    startUnit("carillon-web.service", "Carillon is ready", { ...settings, PORT: one ?? "" }),
    startUnit("carillon-web.service", "Carillon is ready", { ...settings, PORT: two ?? "" }),
    startUnit("carillon-worker@.service", "Carillon worker is ready", settings, "1"),
    startUnit("carillon-worker@.service", "Carillon worker is ready", settings, "2"),
  ] as const;
  await Promise.allSettled(starting); // so that all that started are stopped at the end
  const [first] = await Promise.all(starting);
  const ca = await startProxy(proxyPort, ports);
  const dispatcher = new Agent({ connect: { ca } });

  const { doctor, others } = recipe.commands;
  expect(await shell(others)).toContain("ada@example.com");
  // Swift cannot store CORS rules, and nothing else fails.
  const { stdout } = await shell(doctor).catch((error) => error);
  const failures = JSON.parse(stdout).problems.filter(({ severity }: { severity: string }) => severity === "failure");
  expect(failures).toEqual([expect.objectContaining({ problem: expect.stringContaining("no CORS rule") })]);
  const { access_token } = JSON.parse(await shell("npm run carillon -- tokens create --user ada@example.com"));
  const connect =
    "npm run carillon -- accounts connect-sandbox --user ada@example.com --platform X_TWITTER --person ada";
  const { id: socialMediaAccountId } = JSON.parse(await shell(connect));
  await shell("npm run carillon -- publishing resume");

  const api = async (path: string, body?: object, from = base) => {
    const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
    const call = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const answer = await fetch(`${from}${path}`, { headers, dispatcher, ...call });
    const json = (await answer.json()) as { [field: string]: unknown };
    expect(answer.ok, `${path}: ${JSON.stringify(json)}`).toBe(true);
    return json;
  };
  for (const secret of ["/calendars/secret.ics", "/reset-password?token=secret"]) {
    await (await fetch(base + secret, { dispatcher })).arrayBuffer();
  }
  // nginx writes the line of a request after it has answered.
  const logged = async () => (await readFile(join(folder, "access.log"), "utf8")).split("\n").slice(-3);
  await expect
    .poll(logged)
    .toEqual([
      expect.stringContaining('"GET /calendars/" 404'),
      expect.stringContaining('"GET /reset-password" 410'),
      "",
    ]);
  const { buffer, mimeType } = await picture("one.jpg");
  const asked = { filename: "one.jpg", contentType: mimeType, sizeBytes: buffer.length };
  const grant = await api("/v1/media/upload/urls", asked, `http://localhost:${one}`);
  const put = await fetch(String(grant.url), {
    ...{ method: "PUT", body: new Uint8Array(buffer) },
    headers: grant.headers as { [name: string]: string },
  });
  expect(put.status).toBe(200);
  await api("/v1/media/upload/confirm", { key: grant.key }, `http://localhost:${two}`);
  const posts = [{ content: "from the recipe", attachmentPaths: [grant.key] }];
  const publications = [{ socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts }];
  const { id } = await api("/v1/posts", { scheduledTime: new Date().toISOString(), publications });
  await expect.poll(async () => (await api(`/v1/posts/${id}`)).overallStatus).toBe("COMPLETED");
  const held = await fetch(`http://localhost:${sandboxPort}/_control/posts?network=x&account=ada`);
  expect(await held.json()).toEqual([expect.objectContaining({ text: "from the recipe" })]);

  // One web process ends while requests arrive: the proxy takes it out before its port is closed.
  const ended = first.terminate();
  while (first.isUp()) expect((await fetch(`${base}/.well-known/jwks.json`, { dispatcher })).status).toBe(200);
  await ended;

  await mkdir(join(folder, "backups"));
  await shell(recipe.backup.replaceAll("/backups/", `${join(folder, "backups")}/`));
  await dispatcher.close();
});

/** The blocks of docs/operate.md, as they are written. */
async function readRecipe() {
  const text = await readFile(join(root, "docs/operate.md"), "utf8");
  const block = (heading: string, mark: string) => {
    const section = text.slice(text.indexOf(`\n${heading}\n`));
    const [, found] = new RegExp(`\`\`\`${mark}\\n([\\s\\S]*?)\`\`\``).exec(section) ?? [];
    if (!found) throw new Error(`docs/operate.md has no block ${mark} under ${heading}`);
    return found;
  };
  const commands = block("## The command line", "sh");
  if (!commands.includes(DOCTOR)) throw new Error(`docs/operate.md does not show "${DOCTOR}"`);
  return {
    sql: block("## Many machines", "sql"),
    settings: block("## Many machines", "ini"),
    migrate: block("4. On one machine, create the schema:", "sh"),
    commands: { others: commands.replace(DOCTOR, ""), doctor: DOCTOR },
    backup: block("## Backups", "sh"),
  };
}

const parseSettings = (text: string) =>
  Object.fromEntries([...text.matchAll(/^ *(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));

/** The settings file of the recipe with addresses and secrets of this machine. The role, its password and the names stay. */
function settingsFor(text: string, databaseHost: string, changed: { [name: string]: string }): string {
  const written = parseSettings(text);
  const database = new URL(written.DATABASE_URL ?? "");
  database.host = databaseHost;
  database.search = "";
  const secret = { SECRETS_KEY: randomBytes(32).toString("base64"), DATABASE_URL: database.href };
  const all = Object.entries({ ...written, ...secret, ...changed });
  return all.map(([name, value]) => `${name}=${value}\n`).join("");
}

/** Runs a block of the page as a person would, with the settings of the file. @throws Error with its output if a command fails */
async function inShell(text: string, settings: string): Promise<string> {
  const env = { ...surroundings, DATA_DIR: join(folder, "commands") };
  const script = `set -e\nset -a && . ${settings} && set +a\n${text}`;
  return (await run("sh", ["-c", script], { cwd: root, env })).stdout;
}

/** Starts what a unit of systemd says, with the settings of its `EnvironmentFile`. */
async function startUnit(name: string, ready: string, settings: { [name: string]: string }, instance = "") {
  const unit = await readFile(join(root, "deploy", name), "utf8");
  const [, command = ""] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(unit) ?? [];
  const [, environment = ""] = /^Environment=(.*)$/m.exec(unit) ?? [];
  const own = Object.fromEntries(environment.split(" ").map((one) => one.split("=", 2)));
  const dataDir = join(folder, `state-${running.length}`, String(own.DATA_DIR).replaceAll("%i", instance));
  const service = await startService(command.split(" "), { ...own, ...settings, DATA_DIR: dataDir }, ready);
  running.push(service);
  return service;
}

/** Starts nginx with deploy/nginx.conf in front of these ports. Returns the certificate that it presents. */
async function startProxy(port = 0, ports: number[] = []): Promise<string> {
  const [certificate, key] = [join(folder, "carillon.pem"), join(folder, "carillon.key")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    key,
    "-out",
    certificate,
    ...subject,
  ]);
  const site = (await readFile(join(root, "deploy/nginx.conf"), "utf8"))
    .replace("10.0.0.11:3000", `127.0.0.1:${ports[0]}`)
    .replace("10.0.0.12:3000", `127.0.0.1:${ports[1]}`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("carillon.example.com", "localhost")
    .replace("/etc/ssl/carillon.pem", certificate)
    .replace("/etc/ssl/carillon.key", key)
    .replace("/var/log/nginx/carillon.log", join(folder, "access.log"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  );
  const file = join(folder, "nginx.conf");
  const http = `${temporary.join(" ")}\n${site}`;
  await writeFile(file, `pid ${folder}/nginx.pid; daemon off; error_log stderr;\nevents {}\nhttp { ${http} }\n`);
  const child = spawn("setpriv", ["--pdeathsig", "KILL", NGINX, "-c", file, "-e", "stderr"], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  running.push({ stop } as Service);
  return readFile(certificate, "utf8");
}

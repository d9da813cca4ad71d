import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { withSource } from "../../../lib/api/testing/import-source";
import { db } from "../../../lib/db";
import { env } from "../../../lib/env";
import { serveFiles } from "../../../lib/http/testing/file-server";
import { createPersonalToken, everyScope, listPersonalTokens, revokePersonalToken } from "../../../lib/oauth";
import { as, connectAccount, fault, jpeg, newOwner, postsOn, readResponse, withWorker } from "../../../lib/testing";
import { ownPort } from "../../../lib/testing/own-port";
import { withApiServed } from "../../../lib/testing/served";
import { createWebhookSecret, type EventType, emit } from "../../../lib/webhooks";
import { timeoutOf } from "./post";

withApiServed();
withWorker();

const execute = promisify(execFile);
const source = join(import.meta.dirname, "..");
const root = join(source, "../..");
const url = env.baseUrl;
/** Where npm installs the package as it publishes it, and a home folder for its login. */
let folder: string;
let home: string;
let owner: string;
let token: string;
/** An account on X. */
let account: { id: number; person: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-cli-"));
  await execute("npm", ["pack", "--pack-destination", folder], { cwd: source });
  // The first command of the package's README.
  const [install = ""] = (await blocksOf("packages/cli/README.md"))[0]?.split("\n") ?? [];
  expect(install).toMatch(/^npm install --global \.\/carillon-cli-[\d.]+\.tgz$/);
  const offline = { npm_config_prefix: folder, npm_config_offline: "true" };
  await execute("sh", ["-ec", install], { cwd: folder, env: { ...process.env, ...offline } });
  owner = await newOwner();
  token = (await createPersonalToken(owner, everyScope)).access_token;
  account = await connectAccount(owner, "X_TWITTER");
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  home = await mkdtemp(join(folder, "home-"));
});

/** The commands of a guide, block by block. */
async function blocksOf(guide: string): Promise<string[]> {
  const blocks = (await readFile(join(root, guide), "utf8")).matchAll(/^```sh\n(.*?)^```/gms);
  return [...blocks].map(([, block = ""]) => block);
}

type Run = { code: number | null; out: string; err: string };
type Settings = { [name: string]: string };

function started(args: string[], settings: Settings = {}): ChildProcess {
  return inHome(join(folder, "bin/carillon-cli"), args, settings);
}

function inHome(program: string, args: string[], settings: Settings = {}): ChildProcess {
  const path = `${join(folder, "bin")}:${process.env.PATH}`;
  const environment = {
    NODE_ENV: "production" as const,
    PATH: path,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
  };
  return spawn(program, args, { cwd: home, env: { ...environment, ...settings } });
}

async function ended(child: ChildProcess, input = ""): Promise<Run> {
  const run: Run = { code: null, out: "", err: "" };
  child.stdout?.on("data", (data) => (run.out += data));
  child.stderr?.on("data", (data) => (run.err += data));
  child.stdin?.end(input);
  [run.code] = await once(child, "close");
  return run;
}

/** Runs a command without any settings. */
const bare = (args: string[], input?: string) => ended(started(args), input);
/** Runs a command as the owner. */
const cli = (...args: string[]) => ended(started(args, { CARILLON_URL: url, CARILLON_TOKEN: token }));
const piped = (input: string, ...args: string[]) =>
  ended(started(args, { CARILLON_URL: url, CARILLON_TOKEN: token }), input);
/** Runs a command that must succeed, and returns its JSON. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await cli(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

/** With `--json`, each line is an object. */
const objectsIn = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const x = () => `x:${account.person}`;

describe("the package", () => {
  test("has one script without dependencies, the licence, and no mistake that publint finds", async () => {
    const place = join(folder, "lib/node_modules/@carillon/cli");
    expect((await readdir(place)).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    expect(await readdir(join(place, "dist"))).toEqual(["cli.js"]);
    const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
    expect([manifest.dependencies, manifest.optionalDependencies]).toEqual([undefined, undefined]);
    expect((await publint({ pkgDir: place, strict: true })).messages).toEqual([]);
  });

  test("shows its commands, their options and its version", async () => {
    const { out } = await bare(["--help"]);
    for (const name of ["login", "logout", "accounts", "post", "validate", "import", "list", "logs", "listen"]) {
      expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
      expect(await bare([name, "--help"])).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Usage: carillon-cli ${name}`),
      });
    }
    expect(await bare(["--version"])).toEqual({ code: 0, out: "0.1.0\n", err: "" });
  });
});

describe("login", () => {
  const file = () => join(home, "config/carillon/login.json");
  const login = () => bare(["login", "--url", `${url}/`], `${token}\n`);

  test("stores a checked token where only its user can read it, and logout deletes it", async () => {
    expect(await login()).toMatchObject({ code: 0, out: `Logged in to ${url} as Test.\n` });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(join(file(), ".."))).mode & 0o777).toBe(0o700);
    expect(await bare(["accounts"])).toMatchObject({ code: 0, out: expect.stringContaining(x()) });
    await chmod(file(), 0o644);
    await login();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readdir(join(file(), ".."))).toEqual(["login.json"]);

    expect(await bare(["logout"])).toMatchObject({ code: 0, out: expect.stringContaining("Logged out.") });
    expect(await bare(["accounts"])).toMatchObject({ code: 2, err: expect.stringContaining("Run carillon-cli login") });
    expect(await bare(["accounts", "--token", token])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Say which server the token belongs to"),
    });
    expect(await bare(["logout"])).toMatchObject({ code: 0, out: "You were not logged in.\n" });
  });

  test("stores nothing that the server refuses", async () => {
    const { code, err } = await bare(["login", "--url", url], "wrong");
    const says = "The token is wrong, expired or revoked. Create another one";
    expect([code, err]).toEqual([1, expect.stringContaining(says)]);
    const asJson = await bare(["login", "--url", url, "--json"], "wrong");
    expect([asJson.code, asJson.out]).toEqual([1, ""]);
    expect(JSON.parse(asJson.err)).toEqual({ error: expect.stringContaining(says), status: 401, problems: [] });
    await expect(stat(file())).rejects.toThrow("ENOENT");
  });

  test("prints JSON with --json, without the token", async () => {
    const { code, out, err } = await bare(["login", "--url", url, "--json"], token);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({ url, user: expect.objectContaining({ name: "Test" }), file: file() });
    expect(out).not.toContain(token);
    const ended = await bare(["logout", "--json"]);
    expect([ended.code, JSON.parse(ended.out)]).toEqual([0, { loggedOut: true }]);
  });

  test("refuses JSON that contains a token", async () => {
    const { code, err } = await bare(["login", "--url", url], JSON.stringify({ access_token: token }));
    expect([code, err]).toEqual([2, "This is more than a token. Give only the value of access_token\n"]);
  });

  test("the stored token is not sent to another server", async () => {
    await login();
    const other = await serveFiles((_, response) => response.end("{}"));
    const { code, err } = await bare(["accounts", "--url", other.url]);
    expect([code, err]).toEqual([2, expect.stringContaining(`You are logged in to ${url}, not to ${other.url}`)]);
    expect(other.asked).toEqual([]);
    await other.close();
  });

  test("a token that was revoked later is reported with what to do", async () => {
    const person = await newOwner();
    const { access_token } = await createPersonalToken(person, everyScope);
    await bare(["login", "--url", url], access_token);
    for (const { id } of await listPersonalTokens(person)) await revokePersonalToken(person, id);
    expect(await bare(["accounts"])).toEqual({
      code: 1,
      out: "",
      err: "The token is wrong, expired or revoked. Create another one under Developers in the dashboard, and run carillon-cli login (or set CARILLON_TOKEN)\n",
    });
  });

  test("a token without the permission is reported with what to do", async () => {
    const { access_token } = await createPersonalToken(owner, ["accounts.read"]);
    const { code, err } = await bare(["list", "--url", url, "--token", access_token]);
    expect([code, err]).toEqual([1, expect.stringContaining("The token may lack a permission")]);
  });
});

describe("a wrong address", () => {
  test.each([
    { name: "nothing answers", answer: undefined, says: "cannot be reached (ECONNREFUSED). Check --url" },
    {
      name: "a web page answers",
      answer: [200, "text/html", ""],
      says: "a web page instead of JSON. Check that --url",
    },
    {
      name: "another API answers",
      answer: [404, "application/json", ""],
      says: "Check that --url is the address of a Carillon server",
    },
    {
      name: "a redirect answers",
      answer: [301, "text/plain", "https://new.example/"],
      says: "a redirect to https://new.example/",
    },
    {
      name: "a server that wants https answers",
      answer: [400, "text/html", ""],
      says: "a web page instead of JSON. Check that --url",
    },
    {
      name: "a page that is closed answers",
      answer: [403, "text/html", ""],
      says: "a web page instead of JSON. Check that --url is the address of a Carillon server, such as https://social.example.com\n",
    },
    {
      name: "a page with a sign-in of its own answers",
      answer: [401, "text/html", ""],
      says: "a web page instead of JSON. Check that --url",
    },
    {
      name: "another API answers with success",
      answer: [200, "application/json", "", "{}"],
      says: "no items. Check that --url is the address of a Carillon server",
    },
    { name: "null answers", answer: [200, "application/json", "", "null"], says: "no JSON. Check that --url" },
  ] as const)("$name", async ({ answer, says }) => {
    const server = createServer((_, response) => {
      const [status, type, location, body = "<html>"] = answer ?? [500, "", ""];
      response.writeHead(status, { "content-type": type, ...(location ? { location } : {}) }).end(body);
    }).listen(0, "localhost");
    await once(server, "listening");
    const address = `http://localhost:${(server.address() as AddressInfo).port}`;
    if (!answer) server.close();
    const { code, err } = await bare(["list", "--url", address, "--token", "t"]);
    server.close();
    expect([code, err]).toEqual([1, expect.stringContaining(says)]);
  });

  test("a login to another API that answers with success is not stored", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    }).listen(0, "localhost");
    await once(server, "listening");
    const address = `http://localhost:${(server.address() as AddressInfo).port}`;
    const { code, err } = await bare(["login", "--url", address], token);
    expect([code, err]).toEqual([
      1,
      "This is not an answer of Carillon (/v1/me has no name). Check that --url is the address of a Carillon server\n",
    ]);
    expect(await readdir(home)).toEqual([]);
    server.close();
  });

  test("an address with /v1", async () => {
    const { code, err } = await bare(["list", "--url", `${url}/v1`, "--token", "t"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--url is")]);
  });
});

describe("post", () => {
  test("publishes a text and a file on several accounts, and waits for them", async () => {
    const { person } = await connectAccount(owner, "THREADS");
    await writeFile(join(home, "bells.jpg"), await jpeg());
    const { code, out, err } = await cli(
      ...["post", "The bells are ready", "--account", String(account.id), "--account", `threads:${person}`],
      ...["--file", "bells.jpg", "--wait"],
    );
    expect([code, err]).toEqual([0, "Uploading bells.jpg …\n"]);
    expect(out).toMatch(/^Post \d+ is published\.\n.*published http.*\n.*published http/);
    for (const [platform, name] of [
      ["x", account.person],
      ["threads", person],
    ] as const) {
      const all = JSON.stringify(await postsOn(platform, name));
      expect(all).toContain("The bells are ready");
    }
  });

  test("schedules for a time, and drafts", async () => {
    const planned = await json<{ id: number; scheduledTime: string; overallStatus: string }>(
      ...["post", "Later", "--account", `@${account.person}`, "--at", "2031-05-01T09:00:00+02:00"],
    );
    expect(planned).toMatchObject({ scheduledTime: "2031-05-01T07:00:00Z", overallStatus: "SCHEDULED" });
    expect(await json("post", "A draft", "--account", x(), "--draft")).toMatchObject({ overallStatus: "DRAFT" });
    expect(await cli("post", "Later", "--account", x(), "--at", "2031-05-01T09:00:00Z")).toMatchObject({
      out: expect.stringMatching(/^Post \d+ is scheduled for 2031-05-01T09:00:00Z\.\n$/),
    });
  });

  test("posts to a Page, which follows the account", async () => {
    const { id } = await connectAccount(owner, "FACEBOOK");
    const [page] = await json<{ id: string; title: string }[]>("accounts", String(id));
    expect((await cli("accounts", String(id))).out).toContain(`${id}/${page?.id}  ${page?.title}\n`);
    expect((await cli("accounts", x())).out).toBe(
      `${x()} has no channels, Pages or boards, so name the account alone.\n`,
    );
    const missing = await cli("post", "Hi", "--account", String(id));
    expect(missing.err).toContain("Use --account ACCOUNT/ID. carillon-cli accounts ACCOUNT lists the IDs");
    expect(await json("post", "Hi", "--account", `${id}/${page?.id}`, "--draft")).toMatchObject({
      publications: [{ socialMediaAccountId: id, posts: [{ chatId: page?.id }] }],
    });
  });

  test("reads the text from a file or a pipe, settings, and whole bodies", async () => {
    const [, { items = [] } = {}] = (await readResponse(as(owner).get("/v1/posts"))) as [number, { items?: unknown[] }];
    const args = ["--account", x(), "--draft", "--json", "--settings", '{"x": {"whoCanReply": "FOLLOWING"}}'];
    const { out } = await piped("Two\nlines\n", "post", "--text-file", "-", ...args);
    const { publications } = JSON.parse(out);
    expect(publications).toMatchObject([
      { platformSettings: { type: "TWITTER", whoCanReply: "FOLLOWING" }, posts: [{ content: "Two\nlines" }] },
    ]);
    const body = {
      isDraft: true,
      publications: [
        { socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" }, posts: [{ content: "B" }] },
      ],
    };
    await writeFile(join(home, "post.json"), JSON.stringify(body));
    await json("post", "--body", "post.json");
    const [, after] = (await readResponse(as(owner).get("/v1/posts"))) as [number, { items: unknown[] }];
    expect(after.items).toHaveLength(items.length + 2);
  });

  test("posts once for a key", async () => {
    const args = ["post", "Once", "--account", x(), "--key", `key-${owner}`];
    expect(await cli(...args)).toMatchObject({ code: 0 });
    const again = await cli(...args);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("Nothing was posted again")]);
    expect(await json<unknown[]>("list", "--text", "Once")).toHaveLength(1);
  });

  test("names what is wrong with a post, with its fix, and as JSON", async () => {
    const args = ["post", "long ".repeat(100), "--account", x()];
    const { code, out, err } = await cli(...args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^publications\[0\]\.posts\[0\]\.content .*\(Shorten.*\)\n$/);
    const asJson = JSON.parse((await cli(...args, "--json")).err);
    expect(asJson).toMatchObject({ status: 400, problems: [{ rule: "text.length" }] });
  });

  test("a post is waited for until ten minutes after its time", () => {
    const minutes = (time?: Date) => Math.round(timeoutOf({ scheduledTime: time?.toISOString() }) / 60_000);
    const later = new Date(Date.now() + 3_600_000);
    expect([minutes(later), minutes(new Date(0)), minutes()]).toEqual([70, 10, 10]);
  });

  test("fails unless every account published", async () => {
    const { id, person } = await connectAccount(owner, "X_TWITTER");
    await fault({ network: "x", operation: "publish", fault: "duplicate", account: person, times: 1 });
    const { code, out, err } = await cli("post", "Hi", "--account", String(id), "--wait");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Post \d+ was not published everywhere\.\nTWITTER \(account \d+\): failed .+\n$/);
  });

  test.each([
    { args: ["post", "Hi"], says: "--account is missing" },
    { args: ["post", "--account", "x:a"], says: "The post is empty" },
    { args: ["post", "Hi", "you", "--account", "x:a"], says: "Unexpected argument you. Put quotes around a text" },
    { args: ["post", "Hi", "--account", "x:a", "--at", "tomorrow"], says: "--at must be a time with an offset" },
    {
      args: ["post", "Hi", "--account", "x:a", "--at", "2031-05-01T09:00"],
      says: "--at must be a time with an offset",
    },
    { args: ["post", "Hi", "--account", "x:a", "--draft", "--wait"], says: "--wait cannot wait for a draft" },
    {
      args: ["post", "Hi", "--account", "x:a", "--file", "none.jpg"],
      says: "none.jpg cannot be read: there is no such file",
    },
    { args: ["post", "Hi", "--account", "x:a", "--settings", "{"], says: "--settings is not JSON" },
    { args: ["post", "Hi", "--account", "x:a", "--settings", '{"x": 1}'], says: "--settings must be an object" },
    { args: ["post", "Hi", "--account", "mastodon:a"], says: "mastodon is not a network. Use x, youtube" },
    { args: ["post", "Hi", "--body", "post.json"], says: "Leave out the text" },
    { args: ["post", "Hi", "--acount", "x:a"], says: "Unknown option '--acount'. See carillon-cli post --help" },
    { args: ["post", "Hi", "--at"], says: "--at needs a value. See carillon-cli post --help\n" },
    { args: ["post", "Hi", "--at", "--draft"], says: "--at needs a value. See carillon-cli post --help\n" },
    { args: ["post", "-hello", "--account", "x:a"], says: "Put -- before a text that begins with a dash. See" },
    { args: ["list", "--limit", "0"], says: "--limit must be a number from 1" },
    { args: ["import"], says: "The file is missing" },
    { args: ["listen"], says: "--forward-to is missing" },
    { args: ["listen", "--forward-to", "http://[a/"], says: "--forward-to must be an http or https address" },
    { args: ["list", "--url", "nonsense"], says: "--url is nonsense. It must be like https://social.example.com" },
    { args: ["login", "--url", "http://[a"], says: "--url is http://[a. It must be like https://social.example.com" },
    { args: ["list", "--token", "a token"], says: "This is more than a token" },
    { args: ["listen", "--forward-to", "ftp://a/"], says: "--forward-to must be an http or https address" },
    { args: ["logs", "--event", "post.done"], says: "post.done is not a type of event. Use account.connected, " },
    { args: ["publish"], says: "There is no command publish" },
  ])("refuses $args before it sends a post", async ({ args, says }) => {
    const { code, out, err } = await cli(...args);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(says)]);
  });

  test("names the accounts there are, and those that a name could mean", async () => {
    const none = await cli("post", "Hi", "--account", "x:nobody");
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining(`No account is called x:nobody. Connected: ${x()}`),
    ]);
    const { id } = await connectAccount(owner, "THREADS", account.person);
    const both = await cli("post", "Hi", "--account", account.person);
    expect([both.code, both.err]).toEqual([1, expect.stringContaining(`threads:${account.person} (${id})`)]);
  });
});

describe("validate", () => {
  test("says what is wrong, creates nothing and leaves no file", async () => {
    await writeFile(join(home, "bells.jpg"), await jpeg());
    const before = await readResponse(as(owner).get("/v1/media/counts"));
    const posts = await json<unknown[]>("list", "--limit", "100");
    expect(await cli("validate", "Fine", "--account", x(), "--file", "bells.jpg")).toMatchObject({
      code: 0,
      out: "The post can be published.\n",
    });
    const { code, err } = await cli("validate", "long ".repeat(100), "--account", x(), "--file", "bells.jpg");
    expect([code, err]).toEqual([1, expect.stringContaining("problem: publications[0].posts[0].content")]);
    expect(await json("validate", "Fine", "--account", x())).toMatchObject({ valid: true, problems: [] });
    const refused = await cli("validate", "long ".repeat(100), "--account", x(), "--file", "bells.jpg", "--json");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    const problem = { rule: "text.length", path: "publications[0].posts[0].content" };
    expect(objectsIn(refused.err)).toEqual([
      { note: "Uploading bells.jpg …" },
      {
        error: expect.stringContaining("problem: publications[0].posts[0].content"),
        data: expect.objectContaining({ valid: false, problems: [expect.objectContaining(problem)] }),
      },
    ]);
    expect(await readResponse(as(owner).get("/v1/media/counts"))).toEqual(before);
    expect(await json<unknown[]>("list", "--limit", "100")).toEqual(posts);
  });
});

describe("import", () => {
  const rows = (...texts: string[]) =>
    ["scheduledTime,accounts,text", ...texts.map((text) => `2031-05-01T09:00:00Z,${x()},${text}`)].join("\n");

  test("creates a post for each row, once", async () => {
    await writeFile(join(home, "may.csv"), rows("Row A", "Row B"));
    expect(await cli("import", "may.csv", "--dry-run")).toMatchObject({ code: 0, out: "2 posts can be created.\n" });
    expect(await cli("import", "may.csv")).toMatchObject({ code: 0, out: "2 posts created.\n" });
    expect(await cli("import", "may.csv")).toMatchObject({
      code: 0,
      out: "0 posts created. 2 posts had been created before.\n",
    });
    expect(await json<unknown[]>("list", "--text", "Row")).toHaveLength(2);
    const dry = await json("import", "may.csv", "--dry-run");
    expect(dry).toMatchObject({ dryRun: true, counts: { existing: 2, ready: 0 } });
    const report = await json("import", "may.csv");
    const row = { outcome: "existing", problems: [] };
    expect(report).toMatchObject({
      ...{ dryRun: false, counts: { created: 0, existing: 2, invalid: 0 } },
      rows: [
        { row: 2, text: "Row A", ...row },
        { row: 3, text: "Row B", ...row },
      ],
    });
  });

  test("shows the row and column of each mistake, and creates nothing unless it may skip them", async () => {
    const file = rows("Row C", "long ".repeat(100));
    const { code, err } = await piped(file, "import", "-");
    expect([code, err]).toEqual([1, expect.stringMatching(/^Row 3, text: /)]);
    expect(await piped(file, "import", "-", "--skip-invalid")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Row 3, text: .*\n1 post created\.\n$/),
    });
    const asJson = await piped(file, "import", "-", "--json");
    expect([asJson.code, asJson.out]).toEqual([1, ""]);
    const wrong = { row: 3, outcome: "invalid", problems: [expect.objectContaining({ column: "text" })] };
    expect(JSON.parse(asJson.err)).toMatchObject({
      error: expect.stringMatching(/^Row 3, text: /),
      data: { counts: { invalid: 1, created: 0 }, rows: [{ row: 2, outcome: "existing" }, wrong] },
    });
  });
});

test("list filters, and shows one line for each post without control characters", async () => {
  await json("post", "Red\u001b[31m\nbells", "--account", x(), "--draft");
  const { out } = await cli("list", "--text", "bells", "--status", "draft", "--network", "x", "--limit", "1");
  expect(out).toMatch(/^\d+ {2}DRAFT {2}- {2}Red \[31m bells\n$/);
});

/** Returns the lines that a command prints, as they arrive. */
function linesOf(child: ChildProcess): () => string[] {
  let out = "";
  child.stdout?.on("data", (data) => (out += data));
  return () => out.split("\n").slice(0, -1);
}

describe("events", () => {
  const tell = (type: EventType, n: number) => emit(db, [{ ownerId: owner, type, data: { n } }]);

  test("logs shows the events of a type, and follows new ones until it is stopped", async () => {
    await tell("post.failed", 1);
    const { out } = await cli("logs", "--event", "post.failed", "--json");
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toContainEqual(expect.objectContaining({ type: "post.failed", data: { n: 1 } }));
    const child = started(["logs", "--follow", "--event", "comment.failed"], {
      CARILLON_URL: url,
      CARILLON_TOKEN: token,
    });
    const lines = linesOf(child);
    const done = ended(child);
    await expect
      .poll(
        async () => {
          await tell("comment.failed", 2); // again until it listens
          return lines().length;
        },
        { interval: 200 },
      )
      .toBeGreaterThan(0);
    expect(lines()[0]).toMatch(/^\S+ comment\.failed evt_\d+ \{"n":2\}$/);
    child.kill("SIGINT");
    expect(await done).toMatchObject({ code: 0, err: "" });
  });

  test("logs ends by itself when nothing reads its output any more", async () => {
    const child = started(["logs", "--follow"], { CARILLON_URL: url, CARILLON_TOKEN: token });
    child.stdout?.once("data", () => child.stdout?.destroy()); // as `head -1` does
    let code: number | null | undefined;
    child.once("exit", (own) => {
      code = own;
    });
    await expect
      .poll(
        async () => {
          await tell("comment.failed", 4); // again until it has ended
          return code;
        },
        { interval: 200 },
      )
      .toBe(0);
  });

  test("listen forwards events as signed webhooks, and again until the address answers", async () => {
    const port = await ownPort(); // nothing listens on it yet
    const secret = createWebhookSecret();
    const cursor = (await readResponse(as(owner).get("/v1/events?since=now")))[1] as { nextCursor: string };
    await tell("comment.published", 3);
    const settings = { CARILLON_URL: url, CARILLON_TOKEN: token, CARILLON_WEBHOOK_SECRET: secret };
    const args = ["listen", "--forward-to", `http://127.0.0.1:${port}/hook`, "--event", "comment.published"];
    const child = started([...args, "--since", cursor.nextCursor, "--json"], settings);
    const lines = linesOf(child);
    let err = "";
    child.stderr?.on("data", (data) => (err += data));
    const done = ended(child);
    await expect.poll(() => err).toContain("does not answer. Trying evt_");
    const hook = await serveFiles((_, response) => response.writeHead(204).end(), port);
    await expect.poll(() => lines().length).toBe(1);
    expect(JSON.parse(lines()[0] ?? "")).toMatchObject({ type: "comment.published", status: 204 });
    const [{ body = "", headers = {} } = {}] = hook.asked;
    expect(new Webhook(secret).verify(body, headers as Settings)).toMatchObject({ data: { n: 3 } });
    child.kill("SIGINT");
    expect(await done).toMatchObject({ code: 0 });
    await hook.close();
  });
});

describe("the examples", () => {
  const files = withSource(13);
  let person: string;
  let reader: string;
  let hook: Awaited<ReturnType<typeof serveFiles>>;

  beforeAll(async () => {
    reader = await newOwner();
    ({ person } = await connectAccount(reader, "X_TWITTER"));
    for (const platform of ["THREADS", "INSTAGRAM", "BLUE_SKY"] as const)
      await connectAccount(reader, platform, person);
    hook = await serveFiles((_, response) => response.writeHead(204).end());
  });
  afterAll(() => hook.close());

  /** Puts this test's server and accounts in the place of those of a guide. */
  const owned = (text: string) =>
    text
      .replaceAll("https://social.example.com", url)
      .replaceAll("http://localhost:4000", hook.url)
      .replaceAll("bluesky:alice.bsky.social", `bluesky:${person}.bsky.test`)
      .replaceAll(":alice", `:${person}`);

  /** Runs one line as a person types it. A command that shows new events has one to show, and is then ended with Ctrl-C. */
  async function typed(line: string, input: string): Promise<string> {
    const child = inHome("sh", ["-c", `pass() { echo ${input}; }\n${line}`.replace(/\n(?=carillon-cli)/, "\nexec ")]);
    const lines = linesOf(child);
    const done = ended(child, input);
    if (/--follow|listen/.test(line)) {
      const tellsOne = async () => {
        await emit(db, [{ ownerId: reader, type: "comment.failed", data: { n: 7 } }]); // again until it listens
        return lines().join("\n");
      };
      await expect.poll(tellsOne, { interval: 200 }).toContain("comment.failed");
      child.kill("SIGINT");
    }
    const { code, out, err } = await done;
    expect([line, code], err).toEqual([line, 0]);
    return out;
  }

  test("of a post with --wait say where to look if the outcome is not known after ten minutes", async () => {
    const address = files.serve("away.jpg", (_, response) => response.writeHead(503).end());
    // Ten minutes last a second for this program.
    const hurry = "const now = Date.now; const start = now(); Date.now = () => start + (now() - start) * 600;";
    const { access_token } = await createPersonalToken(reader, everyScope);
    const args = ["post", "Waits for a file", "--account", `x:${person}`, "--file", address, "--wait"];
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hurry)}`;
    const child = started(args, { CARILLON_URL: url, CARILLON_TOKEN: access_token, NODE_OPTIONS });
    const { code, out, err } = await ended(child);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/Post \d+ is still AWAITING_MEDIA after \d+ ms\. Look again later with carillon-cli list\n$/);
  });

  test("of docs/cli.md and the README do what they say", async () => {
    const { access_token } = await createPersonalToken(reader, everyScope);
    const [, csv = ""] = /^```csv\n(.*?)^```/ms.exec(await readFile(join(root, "docs/csv.md"), "utf8")) ?? [];
    const picture = await jpeg();
    const address = files.serve("tower.jpg", (_, response) => response.end(picture));
    const [install, ...blocks] = await blocksOf("docs/cli.md");
    expect(install).toBe("npm install --global @carillon/cli\n"); // not on npm yet: `beforeAll` runs the README's command
    const [, ...ofReadme] = (await blocksOf("packages/cli/README.md")).join("").split("\n");
    const lines = new Set([...blocks.join("").split("\n"), ...ofReadme].filter((line) => line !== ""));
    await writeFile(join(home, "bells.jpg"), picture);
    await writeFile(join(home, "may.csv"), owned(csv).replace("https://example.com/tower.jpg", address));
    const printed: string[] = [];
    for (const line of lines) printed.push(await typed(owned(line), access_token));
    const accounts = ["x:", "threads:", "instagram:", "bluesky:"].map(
      (network) => `.*${network}${person}\\S* +ACTIVE\n`,
    );
    const loggedIn = `^Logged in to ${url} as Test.\n$`;
    const says = [
      loggedIn,
      loggedIn,
      accounts.join(""),
      "^Post \\d+ is being published.\n$",
      "^The post can be published.\n$",
      "^2 posts can be created.\n$",
      "^2 posts created.\n$",
      "^\\d+  SCHEDULED  2031-05-01T07:00:00Z  The bells are ready\n$",
      'comment.failed evt_\\d+ {"n":7}\n',
      "comment.failed evt_\\d+ -> 204\n",
      "^Post \\d+ is scheduled for 2031-05-01T07:00:00Z.\n$",
    ];
    expect(printed).toEqual(says.map((text) => expect.stringMatching(text)));
  });
});

describe("the GitHub Action", () => {
  type Step = { name?: string; uses?: string; run?: string; env?: Settings };
  type Job = { env: Settings; steps: Step[] };
  const example = join(source, "examples/github-action");

  /** Runs the steps of a job as GitHub does, in a copy of the repository in which the package is installed. */
  async function runJob(name: string, values: Settings): Promise<Run> {
    const { env: shared, jobs } = parse(await readFile(join(example, ".github/workflows/social.yml"), "utf8")) as {
      env: Settings;
      jobs: { [name: string]: Job };
    };
    const job = jobs[name];
    if (!job) throw new Error(`there is no job ${name}`);
    await cp(example, home, { recursive: true });
    const filled = (text: string) => text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, key) => values[key] ?? `unknown ${key}`);
    const [checkout, install, ...steps] = job.steps;
    expect([checkout?.env, install?.env]).toEqual([undefined, undefined]); // they never see the token
    const own = steps.map(({ env }) => env);
    const settings = Object.fromEntries(
      Object.entries(Object.assign({}, shared, job.env, ...own) as Settings).map(([key, one]) => [key, filled(one)]),
    );
    expect([checkout?.uses, install?.run]).toEqual([
      "actions/checkout@v4",
      "npm install --global --ignore-scripts @carillon/cli",
    ]);
    const script = join(home, "step.sh");
    await writeFile(script, steps.map(({ run }) => run).join("\n"));
    const path = `${join(folder, "bin")}:${process.env.PATH}`;
    const child = spawn("bash", ["-e", "-o", "pipefail", script], {
      cwd: home,
      env: { NODE_ENV: "production", PATH: path, HOME: home, ...settings },
    });
    return ended(child);
  }
  const values = () => ({
    ...{ "vars.CARILLON_URL": url, "secrets.CARILLON_TOKEN": token, "vars.CARILLON_ACCOUNT": x() },
    ...{ "github.server_url": "https://github.com", "github.repository": "acme/bells" },
    ...{ "github.event.release.html_url": "https://github.com/acme/bells/releases/tag/v7" },
    "github.event.release.id": owner,
  });

  test("runs in pull requests that change the text, but not from forks, and when a release is published", async () => {
    const { on, jobs } = parse(await readFile(join(example, ".github/workflows/social.yml"), "utf8"));
    expect(on).toEqual({ pull_request: { paths: ["social/**"] }, release: { types: ["published"] } });
    expect([jobs.validate.if, jobs.publish.if]).toEqual([
      "github.event_name == 'pull_request' && !github.event.pull_request.head.repo.fork",
      "github.event_name == 'release'",
    ]);
  });

  test("validates in a pull request, and posts nothing", async () => {
    const before = await postsOn("x", account.person);
    expect(await runJob("validate", values())).toEqual({ code: 0, out: "The post can be published.\n", err: "" });
    expect(await postsOn("x", account.person)).toEqual(before);
    const wrong = await runJob("validate", { ...values(), "secrets.CARILLON_TOKEN": "wrong" });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("The token is wrong")]);
  });

  test("publishes with a release, once", async () => {
    expect(await runJob("publish", values())).toMatchObject({ code: 0, err: "" });
    expect(JSON.stringify(await postsOn("x", account.person))).toContain("It rings on the hour.");
    const again = await runJob("publish", values());
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("Nothing was posted again")]);
  });
});

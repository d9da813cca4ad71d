import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mistakesIn } from "../../../lib/testing/published";
import * as bluesky from "../../../sandbox/bluesky/testing";
import * as facebook from "../../../sandbox/facebook/testing";
import * as instagram from "../../../sandbox/instagram/testing";
import * as linkedin from "../../../sandbox/linkedin/testing";
import * as pinterest from "../../../sandbox/pinterest/testing";
import * as telegram from "../../../sandbox/telegram/testing";
import { jpeg, testMediaServer } from "../../../sandbox/testing/media";
import { mp4 } from "../../../sandbox/testing/mp4";
import { testSandbox } from "../../../sandbox/testing/sandbox";
import * as threads from "../../../sandbox/threads/testing";
import * as tiktok from "../../../sandbox/tiktok/testing";
import * as x from "../../../sandbox/x/testing";
import * as youtube from "../../../sandbox/youtube/testing";
import { connectSandbox } from "./client.js";
import type { Network } from "./types.js";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..");
const modules = join(folder, "../../node_modules");
/** An integrator's project, outside of the workspace. */
let project: string;
let tarball: string;
let packedBytes: number;

/** Packs the package and installs the tarball. Vitest and sharp are those of the workspace, so nothing is downloaded. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "carillon-integrator-"));
  const packed = await run("npm", ["pack", "--json", "--pack-destination", project], { cwd: folder });
  const [{ filename, size }] = JSON.parse(packed.stdout);
  tarball = join(project, filename);
  packedBytes = size;
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({
      type: "module",
      dependencies: { "@carillon/sandbox": `file:${filename}`, sharp: `file:${join(modules, "sharp")}` },
      devDependencies: { vitest: `file:${join(modules, "vitest")}` },
      overrides: { sharp: "$sharp" },
    }),
  );
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: project });
  for (const [name = "", text = ""] of examplesIn(await readFile(join(folder, "README.md"), "utf8")))
    await writeFile(join(project, name), text);
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** The README's blocks of JavaScript, whose first line names their file. */
function examplesIn(readme: string): [string, string][] {
  return [...readme.matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, name = "", text = ""]) => [name, text]);
}

/** Runs a command in the project. Returns its exit code and output. */
async function inProject(command: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, HOME: project, NO_COLOR: "1", NODE_ENV: "test" as const };
  const child = spawn(command, args, { cwd: project, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const [code] = await once(child, "close");
  return { code, output };
}

describe("the packed package", () => {
  test("has the networks, the types, a README and the licences, and no source", async () => {
    const files = await readdir(join(project, "node_modules/@carillon/sandbox"), { recursive: true });
    const shown = files.filter((file) => !file.startsWith("dist/chunks/")).sort();
    expect(shown).toEqual([
      "LICENSE",
      "README.md",
      "dist",
      "dist/THIRD-PARTY-LICENSES.txt",
      "dist/chunks",
      "dist/cli.js",
      "dist/client.d.ts",
      "dist/index.d.ts",
      "dist/index.js",
      "dist/types.d.ts",
      "package.json",
    ]);
    const licences = await readFile(
      join(project, "node_modules/@carillon/sandbox", "dist/THIRD-PARTY-LICENSES.txt"),
      "utf8",
    );
    for (const library of ["hono", "zod", "jose", "file-type", "mediabunny"]) expect(licences).toContain(`${library} `);
    expect(packedBytes).toBeLessThan(430_000);
  });

  test("follows the rules of publint and of Are the types wrong", async () => {
    const installed = join(project, "node_modules/@carillon/sandbox");
    expect(await mistakesIn({ installed, tarball })).toEqual([]);
  });

  test("has types that accept each network's own faults and changes only", async () => {
    const use = `
      import { connectSandbox, startSandbox, type Post } from "@carillon/sandbox";
      const sandbox = await startSandbox({ port: 0 });
      await sandbox.faults.add({ network: "x", operation: "publish", fault: "rate_limit", afterSeconds: 30 });
      await sandbox.faults.add({ network: "youtube", operation: "upload", fault: "gone" });
      // @ts-expect-error only YouTube has this fault
      await sandbox.faults.add({ network: "x", operation: "upload", fault: "gone" });
      // @ts-expect-error no such fault
      await sandbox.faults.add({ network: "x", operation: "upload", fault: "explode" });
      await sandbox.change("tiktok", "creator", { account: "alice", isPrivate: true });
      // @ts-expect-error X has no creators
      await sandbox.change("x", "creator", { account: "alice" });
      const video: Post<"youtube"> = await sandbox.posts.waitFor({ network: "youtube", matching: (post) => post.text !== "" });
      const title: string | undefined = video.settings.title;
      for (const post of await sandbox.posts.list()) if (post.network === "facebook") post.settings.kind?.toUpperCase();
      const other = await connectSandbox(sandbox.url);
      // @ts-expect-error only the process that started the networks ends them
      await other.close();
      await sandbox.close();
      console.log(title);`;
    await writeFile(join(project, "use.mts"), use);
    const compilerOptions = {
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom"],
      types: [],
      strict: true,
      noEmit: true,
      skipDefaultLibCheck: true,
    };
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.mts"] }));
    const tsc = await inProject(process.execPath, join(modules, "typescript-7/bin/tsc"), "-p", ".");
    expect(tsc).toEqual({ code: 0, output: "" });
  });
});

describe("the examples of the README", () => {
  test("the test with vitest passes", async () => {
    const { code, output } = await inProject(process.execPath, join(modules, "vitest/vitest.mjs"), "run", "x.test.js");
    expect(output).toContain("Tests  4 passed (4)");
    expect(code).toBe(0);
  });

  test("the test with Node alone passes", async () => {
    const { code, output } = await inProject(process.execPath, "--test", "--test-reporter=tap", "x.node-test.js");
    expect(output).toContain("# pass 1");
    expect(output).toContain("# fail 0");
    expect(code).toBe(0);
  });

  test("those of docs/sandbox.md pass with that client of X", async () => {
    const guide = await readFile(join(folder, "../../docs/sandbox.md"), "utf8");
    const [own = "", ofCarillon = ""] = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block);
    const client = `
      import { createX } from "./x.js";
      const redirectUri = "http://localhost:4000/callback";
      const verifier = "a-verifier-of-at-least-forty-three-characters";
      const createYourClient = ({ api, ...app }) => createX({ api, site: api, ...app, redirectUri, verifier });`;
    await writeFile(join(project, "own.mjs"), `${client}\n${own}console.log(posts[0].text, posts[0].account);`);
    expect(await inProject(process.execPath, "own.mjs")).toEqual({ code: 0, output: "Once alice\n" });

    // In place of Carillon, a program that waits for the end of a rate limit as Carillon does.
    const running = `
      import { startSandbox } from "@carillon/sandbox";
      const networks = await startSandbox();
      const x = createYourClient({ api: networks.urls.x, ...networks.applications.x });
      const token = await x.redeem((await networks.people.allow(x.signInUrl())).searchParams.get("code"));
      const refusals = [];
      async function createPost(text) {
        await x.post(token, text).catch(({ message }) => refusals.push(message));
        await networks.clock.advance(31);
        await x.post(token, text);
      }`;
    const theirs = ofCarillon
      .replace('import { connectSandbox } from "@carillon/sandbox";', "")
      .replace('"http://localhost:3010"', "networks.url");
    const script = `import { connectSandbox } from "@carillon/sandbox";${client}${running}${theirs}
      console.log(...refusals);
      await networks.close();`;
    await writeFile(join(project, "theirs.mjs"), script);
    expect(await inProject(process.execPath, "theirs.mjs")).toEqual({
      code: 0,
      output: expect.stringMatching(/^Hello https:\/\/x\.com\/alice\/status\/\d+\nX answered with 429\n$/),
    });
  });

  test("the test fails if the client posts again without looking", async () => {
    const [, text = ""] = examplesIn(await readFile(join(folder, "README.md"), "utf8"))[0] ?? [];
    const careless = text.replace("found ? found.id : this.post(token, text)", "this.post(token, text)");
    expect(careless).not.toBe(text);
    const copy = join(project, "careless");
    await mkdir(copy);
    await writeFile(join(copy, "x.js"), careless);
    await writeFile(join(copy, "x.node-test.js"), await readFile(join(project, "x.node-test.js")));
    const { code } = await inProject(process.execPath, "--test", "careless/x.node-test.js");
    expect(code).toBe(1);
  });
});

describe("carillon-sandbox", () => {
  const bin = () => join(project, "node_modules/.bin/carillon-sandbox");

  /** Starts the command. Resolves when it has printed how to stop it. */
  async function started(...args: string[]): Promise<{ child: ChildProcess; output: string }> {
    const child = spawn(bin(), args, { cwd: project });
    let output = "";
    for await (const data of child.stdout) {
      output += data;
      if (output.includes("Stop them")) break;
    }
    return { child, output };
  }

  test("prints the address of each network, serves them, and ends at SIGTERM", async () => {
    const { child, output } = await started("--port", "0");
    const [url = ""] = /http:\/\/localhost:\d+/.exec(output) ?? [];
    const { port } = new URL(url);
    for (const line of [`X          ${url}/x`, `Bluesky    http://127.0.0.1:${port}`, `Pinterest  ${url}/pinterest`])
      expect(output).toContain(line);
    expect(output).toContain(`Stop them with Ctrl+C, or with: kill ${child.pid}`);
    const sandbox = await connectSandbox(url);
    expect((await sandbox.people.list("x")).map(({ name }) => name)).toEqual(["alice", "bob", "carol", "dave"]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expect(connectSandbox(url)).rejects.toThrow(
      `No sandbox answers at ${url}. Start one with: npx carillon-sandbox`,
    );
  });

  test("the start loads neither HTTP/2 nor Node's fetch, which take a third of its CPU time", async () => {
    const start = `
      import { startSandbox } from "@carillon/sandbox";
      const sandbox = await startSandbox();
      const loaded = process.moduleLoadList.map((entry) => entry.replace("NativeModule ", ""));
      console.log(["http", "http2", "internal/deps/undici/undici"].filter((name) => loaded.includes(name)).join());
      await sandbox.close();`;
    await writeFile(join(project, "start.mjs"), start);
    expect(await inProject(process.execPath, "start.mjs")).toEqual({ code: 0, output: "http\n" });
  });

  describe("publishes what clients send in the form that each network documents", () => {
    const sandbox = testSandbox(async (dir) => {
      const { child, output } = await started("--port", "0", "--dir", dir);
      const [url = ""] = /http:\/\/localhost:\d+/.exec(output) ?? [];
      return {
        url,
        async close() {
          child.kill("SIGTERM");
          await once(child, "exit");
        },
      };
    });
    const media = testMediaServer();
    const picture = async () => media.serve("picture.jpg", await jpeg(), "image/jpeg");
    const film = mp4();

    /** Posts "Bells" as alice on each network. */
    const publishing: { [network in Network]: () => Promise<unknown> } = {
      x: async () => (await x.session(sandbox)).post("tweets", { text: "Bells" }),
      async youtube() {
        const { headers } = await (await youtube.api(sandbox, "alice")).open({ description: "Bells" });
        await youtube.put(headers.get("location") ?? "", film);
      },
      threads: async () => threads.graph(sandbox, await threads.connect(sandbox)).publishText({ text: "Bells" }),
      async tiktok() {
        const alice = await tiktok.api(sandbox, "alice");
        const size = { video_size: film.length, chunk_size: film.length };
        const { data } = await (await alice.video({ title: "Bells" }, size)).json();
        await tiktok.put(data.upload_url, film, `0-${film.length - 1}/${film.length}`);
        await sandbox.advance(0.6); // it is processed
        await alice.status(data.publish_id);
      },
      async instagram() {
        const alice = instagram.graph(sandbox, await instagram.connect(sandbox));
        const container = await alice.create({ image_url: await picture(), caption: "Bells" });
        await alice.finish(container);
        await alice.publish(container);
      },
      linkedin: async () => (await linkedin.session(sandbox)).publish({ commentary: "Bells" }),
      bluesky: async () => (await bluesky.signedIn(sandbox)).create(bluesky.postOf({ text: "Bells" })),
      async telegram() {
        const bot = telegram.botOf(sandbox);
        const { publicId } = await telegram.link(bot);
        await bot.call("sendMessage", { chat_id: publicId, text: "Bells" });
      },
      async facebook() {
        const [page] = await facebook.pagesOf(sandbox, facebook.graph(sandbox, await facebook.connect(sandbox)));
        await page?.post(`${page.id}/feed`, { message: "Bells" });
      },
      async pinterest() {
        const { post, board } = await pinterest.session(sandbox);
        const media_source = { source_type: "image_url", url: await picture() };
        await post("pins", { board_id: board, description: "Bells", media_source });
      },
    };

    test.each(Object.entries(publishing))("%s", async (network, publish) => {
      await publish();
      expect(await sandbox.posts(network)).toMatchObject([{ network, account: "alice", text: "Bells" }]);
    });
  });

  test("listens on a given address, and lets those who reach it control it", async () => {
    const { child, output } = await started("--port", "0", "--host", "0.0.0.0");
    const [url = ""] = /http:\/\/localhost:\d+/.exec(output) ?? [];
    const { port } = new URL(url);
    const inContainer = await fetch(`http://127.0.0.1:${port}/_control/calls`, {
      headers: { origin: "https://evil.example" },
    });
    expect(inContainer.status).toBe(403);
    expect(await (await connectSandbox(`http://127.0.0.1:${port}`)).calls.list()).toEqual([]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("names a used port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const { code, output } = await inProject(bin(), "--port", String(port));
    server.close();
    expect(output).toBe(
      `Port ${port} is in use. Choose another one, or 0 for any free port.\nRun carillon-sandbox --help to see the options.\n`,
    );
    expect(code).toBe(2);
  });

  test.each([
    { args: ["--prot", "1"], says: "Unknown option '--prot'" },
    { args: ["--port", "70000"], says: '--port must be a number from 0 to 65535, not "70000".' },
    { args: ["--port"], says: "Option '--port <value>' argument missing" },
    { args: ["start"], says: "Unexpected argument 'start'" },
    { args: ["--port", "0", "--host", "192.0.2.1"], says: "192.0.2.1 is not an address of this computer." },
  ])("refuses $args", async ({ args, says }) => {
    const { code, output } = await inProject(bin(), ...args);
    expect(output).toContain(says);
    expect(output).toContain("Run carillon-sandbox --help");
    expect(code).toBe(2);
  });

  test("--help shows the options", async () => {
    const { code, output } = await inProject(bin(), "--help");
    for (const option of ["--port N", "--host H", "--dir D"]) expect(output).toContain(option);
    expect(code).toBe(0);
  });
});

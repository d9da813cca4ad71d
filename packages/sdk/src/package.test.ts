import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withSource } from "../../../lib/api/testing/import-source";
import { env } from "../../../lib/env";
import { createPersonalToken, everyScope } from "../../../lib/oauth";
import { connectAccount, jpeg, newOwner, newPartner, nobody, readResponse, withWorker } from "../../../lib/testing";
import { mistakesIn } from "../../../lib/testing/published";
import { withApiServed } from "../../../lib/testing/served";

const root = join(import.meta.dirname, "../../..");
const at = (path: string) => join(root, "node_modules", path);
const MAX_BYTES = 12 * 1024;
const run = promisify(execFile);

/** The package as npm publishes it, installed in an empty project. */
let folder: string;
let tarball: string;
let installed: string;
let types: Awaited<ReturnType<typeof install>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-sdk-"));
  types = await install("openapi");
  ({ tarball, installed } = await install("sdk"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function install(name: string) {
  const packed = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: join(root, "packages", name),
  });
  const file = join(folder, JSON.parse(packed.stdout)[0].filename);
  const target = join(folder, "node_modules/@carillon", name);
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", file, "--strip-components=1", "-C", target]);
  return { tarball: file, installed: target };
}

describe("the published package", () => {
  test("has at most 12 KB, and one dependency, which holds types only", async () => {
    expect((await stat(tarball)).size).toBeLessThanOrEqual(MAX_BYTES);
    const dependenciesOf = async (place: string) => {
      const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
      return { dependencies, optionalDependencies };
    };
    // Optional, because programs run without types.
    expect(await dependenciesOf(installed)).toEqual({ optionalDependencies: { "@carillon/openapi": "0.1.0" } });
    expect(await dependenciesOf(types.installed)).toEqual({});
    expect((await readdir(types.installed)).sort()).toEqual(["LICENSE", "index.d.ts", "package.json"]);
    // The licence's text would be too large for the SDK itself (docs/adr/0045-sdk.md).
    expect(await readFile(join(installed, "README.md"), "utf8")).toContain("The text is in `@carillon/openapi`");
  });

  test("and its types have no mistake that publint or Are The Types Wrong finds", async () => {
    for (const packed of [{ tarball, installed }, types]) expect(await mistakesIn(packed)).toEqual([]);
  });

  test("can be bundled for browsers", async () => {
    const script = join(installed, "dist/index.js");
    const { warnings } = await build({ entryPoints: [script], bundle: true, platform: "browser", write: false });
    expect(warnings).toEqual([]);
  });
});

describe("the examples", () => {
  withApiServed();
  withWorker();
  const source = withSource(13);

  /** Runs an example in Node with the installed package, and returns what it prints. */
  async function printedBy(name: string, code: string, settings: { [name: string]: string }): Promise<string[]> {
    const script = join(folder, `${name}.mjs`);
    await writeFile(script, (await transform(code, { loader: "ts", format: "esm" })).code);
    const { stdout, stderr } = await run(process.execPath, [script], {
      env: { NODE_ENV: "production", PATH: process.env.PATH, ...settings },
    });
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  }
  async function codeOf(file: string): Promise<string> {
    const blocks = [...(await readFile(join(root, file), "utf8")).matchAll(/^```ts\n(.*?)^```/gms)];
    expect(blocks.length).toBeGreaterThan(0);
    return blocks.map(([, code]) => code).join("\n");
  }
  async function settingsOf() {
    const owner = await newOwner();
    await connectAccount(owner, "X_TWITTER");
    const { access_token: token } = await createPersonalToken(owner, everyScope);
    return { CARILLON_URL: env.baseUrl, CARILLON_TOKEN: token };
  }

  test("fit the types of the package under Node's rules for modules, and mistakes do not", async () => {
    const config = {
      compilerOptions: {
        ...{
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          module: "nodenext",
          target: "es2022",
          lib: ["es2024", "dom", "dom.asynciterable"],
        },
        ...{ types: ["node"], typeRoots: [at("@types")], skipDefaultLibCheck: true },
      },
      files: ["passed-on.mts", "guide.mts", "feeds.mts", "embedded.mts", "readme.mts", "wrong.mts"],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await writeFile(join(folder, "guide.mts"), await codeOf("docs/sdk.md"));
    await writeFile(join(folder, "feeds.mts"), await codeOf("docs/feeds.md"));
    await writeFile(join(folder, "embedded.mts"), await codeOf("docs/connect-embedded.md"));
    await writeFile(join(folder, "readme.mts"), await codeOf("packages/sdk/README.md"));
    const passedOn = `
      import type { Carillon } from "@carillon/sdk";
      export const wait = (carillon: Carillon, id: number, given: { signal?: AbortSignal; timeoutMs?: number }) =>
        carillon.waitFor({ id }, { signal: given.signal, timeoutMs: given.timeoutMs });
      export const me = (carillon: Carillon, signal?: AbortSignal) => carillon.get("/v1/me", { signal });`;
    await writeFile(join(folder, "passed-on.mts"), passedOn);
    const wrong = [
      'carillon.get("/v1/nothing");',
      'carillon.get("/v1/posts/{id}");',
      'carillon.get("/v1/posts/{id}", { path: { name: 7 } });',
      'carillon.get("/v1/posts", { query: { limit: "many" } });',
      'carillon.post("/v1/webhooks", { body: { url: 7, events: [] } });',
      'carillon.list("/v1/me");',
      'carillon.get("/v1/me").then(({ nothing }) => nothing);',
    ];
    const start = 'import type { Carillon } from "@carillon/sdk";\ndeclare const carillon: Carillon;\n';
    await writeFile(join(folder, "wrong.mts"), start + wrong.map((line) => `// @ts-expect-error\n${line}\n`).join(""));
    await run(process.execPath, [at("typescript-7/bin/tsc"), "-p", folder]);
  });

  test("of the README publish a post", async () => {
    const code = (await codeOf("packages/sdk/README.md")).replace("http://localhost:3000", env.baseUrl);
    const printed = await printedBy("readme", `${code}\nconsole.log(overallStatus);`, await settingsOf());
    expect(printed).toEqual(["COMPLETED"]);
  });

  test("of docs/feeds.md add a feed after a dry run", async () => {
    const item = "<item><title>A new bell</title><link>https://bells.example/1</link><guid>1</guid></item>";
    const feed = `<rss version="2.0"><channel><title>Bells</title>${item}</channel></rss>`;
    const FEED_URL = source.serve("feed.xml", (_, response) => response.end(feed));
    const printed = await printedBy("feeds", await codeOf("docs/feeds.md"), { ...(await settingsOf()), FEED_URL });
    expect(printed).toEqual(["true A new bell", "", "https://bells.example/1 []", "ACTIVE 1"]);
  });

  test("of docs/connect-embedded.md create a session, with the SDK and with curl", async () => {
    const CLIENT_TOKEN = /^[0-9a-f-]{36}\.[\w-]{43}$/;
    const { clientId, clientSecret, post } = await newPartner();
    await post("/v1/connect/users", { externalUserId: "customer-42", name: "Ada" });
    const code = (await codeOf("docs/connect-embedded.md")).replace("https://carillon.example.com", env.baseUrl);
    const answer = 'console.log((await createSession("customer-42")).clientToken);';
    const settings = { CARILLON_CLIENT_ID: clientId, CARILLON_CLIENT_SECRET: clientSecret };
    expect(await printedBy("embedded", `${code}\n${answer}`, settings)).toEqual([expect.stringMatching(CLIENT_TOKEN)]);

    const [, command = ""] =
      /^```sh\n(.*?)^```/ms.exec(await readFile(join(root, "docs/connect-embedded.md"), "utf8")) ?? [];
    const credentials = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const [, token] = await readResponse(nobody.post("/oauth/token", { ...credentials, audience: env.baseUrl }));
    const { access_token: PARTNER_TOKEN } = token as { access_token: string };
    const { stdout } = await run("sh", ["-ec", command], {
      env: { NODE_ENV: "production", PATH: process.env.PATH, CARILLON_URL: env.baseUrl, PARTNER_TOKEN },
    });
    expect(JSON.parse(stdout)).toMatchObject({ clientToken: expect.stringMatching(CLIENT_TOKEN) });
  });

  test("of docs/sdk.md do what they say", async () => {
    const picture = await jpeg();
    const { clientId, clientSecret } = await newPartner();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const settings = {
      ...(await settingsOf()),
      ...{ CARILLON_CLIENT_ID: clientId, CARILLON_CLIENT_SECRET: clientSecret, CARILLON_WEBHOOK_SECRET: secret },
      PICTURE_URL: source.serve("bells.jpg", (_, response) => response.writeHead(200).end(picture)),
    };
    const body = JSON.stringify({ type: "post.completed", timestamp: "2031-05-01T12:00:00Z", data: { id: 7 } });
    const receives = `
      import { createHmac } from "node:crypto";
      {
      const [secret, body, seconds] = [process.env.CARILLON_WEBHOOK_SECRET, ${JSON.stringify(body)}, Math.floor(Date.now() / 1000)];
      const hmac = createHmac("sha256", Buffer.from(secret.slice(6), "base64"));
      const signature = "v1," + hmac.update("msg_1." + seconds + "." + body).digest("base64");
      const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(seconds), "webhook-signature": signature };
      for (const sent of [body, body + " "]) {
        const { status } = await receive(new Request("http://localhost", { method: "POST", body: sent, headers }));
        console.log("received", status);
      }}`;
    const printed = await printedBy("guide", (await codeOf("docs/sdk.md")) + receives, settings);
    const PATH = "[\\w-]+/[\\w-]+\\.\\w+";
    for (const line of [
      /^COMPLETED http/,
      /^1 1$/,
      /^the same post: true$/,
      /^\d+ SCHEDULED$/,
      new RegExp(`^uploaded ${PATH} ${PATH}$`),
      new RegExp(`^imported ${PATH}$`),
      /^text\.length Shorten/,
      /^PUBLISHED http/,
      /^published 7$/,
      /^0$/,
      /^Test$/,
    ]) {
      expect(printed).toContainEqual(expect.stringMatching(line));
    }
    expect(printed.slice(-2)).toEqual(["received 204", "received 400"]);
  });
});

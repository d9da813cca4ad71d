import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/client/stdio";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../../../lib/env";
import { createPersonalToken, listPersonalTokens, revokePersonalToken, type Scope } from "../../../lib/oauth";
import { connectAccount, newOwner } from "../../../lib/testing";
import { withApiServed } from "../../../lib/testing/served";

const folder = join(import.meta.dirname, "..");
const cli = join(folder, "dist/cli.js");
const run = promisify(execFile);

withApiServed();
beforeAll(() => run(process.execPath, [join(folder, "build.mjs")]));

const tokenOf = async (owner: string, scopes: Scope[]) => (await createPersonalToken(owner, scopes)).access_token;

type Settings = { CARILLON_URL?: string; CARILLON_TOKEN?: string; CARILLON_PUBLISHING_TOKEN?: string };

/** An agent that starts the program, with the official client. */
function agentWith(settings: Settings) {
  return agentThatStarts({ command: process.execPath, args: [cli], env: { ...settings } });
}

async function agentThatStarts(server: StdioServerParameters) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  const call = async (name: string, args: { [name: string]: unknown }) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [first] = content;
    return { isError, text: first?.type === "text" ? first.text : "" };
  };
  return { client, call };
}

test("the package contains one script, its manual and its licence, and publint finds no mistake", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: folder });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  expect(files.map(({ path }) => path).sort()).toEqual(["LICENSE", "README.md", "dist/cli.js", "package.json"]);
  expect((await publint({ pkgDir: folder, strict: true })).messages).toEqual([]);
});

describe("the examples start the program", () => {
  const root = join(folder, "../..");
  /** A project in which the package is installed, because npx cannot fetch it from npm yet. */
  let project: string;
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "carillon-agent-"));
    const modules = join(project, "node_modules");
    for (const name of [".bin", "@carillon"]) await mkdir(join(modules, name), { recursive: true });
    await symlink(folder, join(modules, "@carillon/mcp"));
    await chmod(cli, 0o755); // as npm does with commands
    await symlink("../@carillon/mcp/dist/cli.js", join(modules, ".bin/carillon-mcp"));
  });
  afterAll(() => rm(project, { recursive: true }));
  const surroundings = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", npm_config_offline: "true" };
  const exampleIn = async (file: string, language: string) =>
    new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(await readFile(join(root, file), "utf8"))?.[1] ?? "";

  const examples: [guide: string, start: (token: string) => Promise<StdioServerParameters>][] = [
    [
      "docs/mcp.md",
      async (token) => {
        const { command, args, env: own } = JSON.parse(await exampleIn("docs/mcp.md", "json")).mcpServers.carillon;
        expect(Object.keys(own)).toEqual(["CARILLON_URL", "CARILLON_TOKEN"]);
        return { command, args, env: { ...surroundings, CARILLON_URL: env.baseUrl, CARILLON_TOKEN: token } };
      },
    ],
    [
      "packages/mcp/README.md",
      async (token) => {
        const line = (await exampleIn("packages/mcp/README.md", "sh"))
          .replace("https://social.example.com", env.baseUrl)
          .replace("CARILLON_TOKEN=…", `CARILLON_TOKEN=${token}`);
        return { command: "sh", args: ["-c", line], env: surroundings };
      },
    ],
  ];
  test.each(examples)("of %s", async (_, start) => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    const token = await tokenOf(owner, ["posts.propose"]);
    const { client, call } = await agentThatStarts({ ...(await start(token)), cwd: project });
    try {
      expect((await call("list_accounts", {})).text).toContain(`"id":${id}`);
    } finally {
      await client.close();
    }
  });
});

test("an agent proposes a post over stdin and stdout", async () => {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const CARILLON_TOKEN = await tokenOf(owner, ["posts.propose"]);
  const { client, call } = await agentWith({ CARILLON_URL: env.baseUrl, CARILLON_TOKEN });
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("schedule_post");
    expect((await call("list_accounts", {})).text).toContain(`"id":${account}`);
    expect((await call("list_destinations", { accountId: account, platform: "TELEGRAM" })).isError).toBe(true);
    expect((await call("read_rules", { platform: "X_TWITTER" })).text).toContain("280");
    const publications = [
      { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "From an agent" }] },
    ];
    const proposed = await call("propose_post", { publications });
    expect(proposed.text).toContain('"overallStatus":"DRAFT"');
    expect(proposed.text).toContain('"proposal":{');
    const [token] = await listPersonalTokens(owner);
    await revokePersonalToken(owner, token?.id ?? "");
    const refused = await call("list_accounts", {});
    expect(refused).toEqual({
      isError: true,
      text: "GET /v1/accounts was answered with 401: Unauthorized. The token is wrong, expired or revoked. Create another one under Developers in the dashboard, and set it as CARILLON_TOKEN",
    });
  } finally {
    await client.close();
  }
});

test("with a second token that may publish, there is one more tool, and proposals are still proposals", async () => {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const CARILLON_TOKEN = await tokenOf(owner, ["posts.propose"]);
  const CARILLON_PUBLISHING_TOKEN = await tokenOf(owner, ["posts.write"]);
  const { client, call } = await agentWith({ CARILLON_URL: env.baseUrl, CARILLON_TOKEN, CARILLON_PUBLISHING_TOKEN });
  const publications = [
    { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "From an agent" }] },
  ];
  try {
    const post = { publications, scheduledTime: "2090-01-01T00:00:00Z" };
    expect((await call("schedule_post", post)).text).toContain('"overallStatus":"SCHEDULED"');
    expect((await call("propose_post", post)).text).toContain('"proposal":{');
  } finally {
    await client.close();
  }
});

describe("one clear error, and the program ends", () => {
  const cases: [what: string, settings: (owner: string) => Promise<Settings>, error: string][] = [
    ["without an address", async () => ({}), "CARILLON_URL is missing"],
    ["without a token", async () => ({ CARILLON_URL: env.baseUrl }), "CARILLON_TOKEN is missing"],
    [
      "with something that is not a token",
      async () => ({ CARILLON_URL: env.baseUrl, CARILLON_TOKEN: "abc" }),
      "CARILLON_TOKEN is not a token of Carillon",
    ],
    [
      "with an address of the API",
      async (owner) => ({
        CARILLON_URL: `${env.baseUrl}/v1`,
        CARILLON_TOKEN: await tokenOf(owner, ["posts.propose"]),
      }),
      "CARILLON_URL is http://.*/v1. It must be like https://social.example.com, without /v1",
    ],
    [
      "with something that is not an address",
      async (owner) => ({ CARILLON_URL: "localhost:3000", CARILLON_TOKEN: await tokenOf(owner, ["posts.propose"]) }),
      "CARILLON_URL is localhost:3000. It must be like https://social.example.com, without /v1",
    ],
    [
      "with a token that cannot propose",
      async (owner) => ({ CARILLON_URL: env.baseUrl, CARILLON_TOKEN: await tokenOf(owner, ["posts.read"]) }),
      "It needs service-api/posts.propose",
    ],
    [
      "with a token that may publish",
      async (owner) => ({
        CARILLON_URL: env.baseUrl,
        CARILLON_TOKEN: await tokenOf(owner, ["posts.propose", "posts.write"]),
      }),
      "CARILLON_TOKEN may publish without approval",
    ],
    [
      "with a publishing token that may not publish",
      async (owner) => {
        const CARILLON_TOKEN = await tokenOf(owner, ["posts.propose"]);
        return { CARILLON_URL: env.baseUrl, CARILLON_TOKEN, CARILLON_PUBLISHING_TOKEN: CARILLON_TOKEN };
      },
      "CARILLON_PUBLISHING_TOKEN has the scopes service-api/posts.propose. It needs service-api/posts.write",
    ],
  ];
  test.each(cases)("%s", async (_, settings, error) => {
    const ended = run(process.execPath, [cli], { env: { NODE_ENV: "test", ...(await settings(await newOwner())) } });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^carillon-mcp: [^\\n]*${error}[^\\n]*\\n$`)),
    });
  });

  test("bad input is the answer of the tool, with the path of the field", async () => {
    const CARILLON_TOKEN = await tokenOf(await newOwner(), ["posts.propose"]);
    const { client, call } = await agentWith({ CARILLON_URL: env.baseUrl, CARILLON_TOKEN });
    const publications = [{ socialMediaAccountId: 1, platformSettings: { type: "TWITTER" }, posts: [{ content: "" }] }];
    const refused = await call("propose_post", { publications });
    await client.close();
    expect(refused).toEqual({
      isError: true,
      text: "POST /v1/posts was answered with 400: publications[0].socialMediaAccountId is not one of this user's accounts: 1",
    });
  });

  test.each([
    ["application/json", /^GET \/v1\/accounts was answered with 404: .+\. Check that CARILLON_URL is the address of a/],
    [
      "text/html",
      /404: a web page instead of JSON\. Check that CARILLON_URL is the address of a Carillon server, such as/,
    ],
  ])("a wrong address that answers with %s is the answer of the tool", async (type, message) => {
    const server = createServer((_, response) => response.writeHead(404, { "content-type": type }).end("{}"));
    await once(server.listen(0, "localhost"), "listening");
    const CARILLON_URL = `http://localhost:${(server.address() as AddressInfo).port}`;
    const CARILLON_TOKEN = await tokenOf(await newOwner(), ["posts.propose"]);
    const { client, call } = await agentWith({ CARILLON_URL, CARILLON_TOKEN });
    const { isError, text } = await call("list_accounts", {});
    await client.close();
    server.close();
    expect([isError, text]).toEqual([true, expect.stringMatching(message)]);
  });
});

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { openBrowser } from "./browser";
import { expect, PASSWORD, type Service, test, unique } from "./service";

const root = join(import.meta.dirname, "../..");
const CALLBACK = "https://agent.example/callback";
const SCOPE = "service-api/posts.propose";
const run = promisify(execFile);

/**
 * What the provider of an agent remembers, for an agent that is registered as an application. Everything else (where the
 * authorization server is, which scope is needed, PKCE) the official client finds out by itself.
 */
function memoryOf({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const kept: {
    verifier?: string;
    page?: URL;
    tokens?: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
    found?: OAuthDiscoveryState;
  } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { redirect_uris: [CALLBACK], client_name: "Agent" },
    clientInformation: () => ({ client_id: clientId, client_secret: clientSecret }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
    saveDiscoveryState: (found) => {
      kept.found = found;
    },
    discoveryState: () => kept.found,
    redirectToAuthorization: (page) => {
      kept.page = page;
    },
  };
  return { kept, provider };
}

let agent: { clientId: string; clientSecret: string };
let token: string;

/** Connects the official client. The person signs in and allows what the agent asks for. Returns the consent page's address. */
async function connectAgent(service: Service): Promise<{ client: Client; page: URL }> {
  const { kept, provider } = memoryOf(agent);
  const address = new URL(`${service.url}/mcp`);
  const first = new StreamableHTTPClientTransport(address, { authProvider: provider });
  await expect(new Client({ name: "agent", version: "1" }).connect(first)).rejects.toThrow();
  const page = kept.page;
  if (!page) throw new Error("the client did not send the person to a consent page");
  const fields = { email: service.person.email, password: PASSWORD, decision: "allow" };
  const { address: back } = await openBrowser().follow(page.href, CALLBACK, fields);
  await first.finishAuth(new URL(back ?? "").searchParams);
  token = kept.tokens?.access_token ?? "";
  const client = new Client({ name: "agent", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: provider }));
  return { client, page };
}

test.beforeAll(async ({ service }) => {
  const of = ["--name", unique("Agent"), "--redirect-uri", CALLBACK];
  agent = (await service.product.carillon("clients", "create", ...of)) as typeof agent;
});

test("an agent finds the authorization server by itself, a person consents to one scope, and a proposal waits", async ({
  service,
}) => {
  const account = await service.product.carillon(
    ...["accounts", "connect-sandbox", "--user", service.person.email, "--platform", "X_TWITTER"],
  );
  const { id } = account as { id: number };
  const { client, page } = await connectAgent(service);
  const asked = Object.fromEntries(page.searchParams);
  expect(asked).toMatchObject({ scope: SCOPE, resource: `${service.url}/mcp`, code_challenge_method: "S256" });
  const posts = [{ content: "From an agent" }];
  const { content } = await client.callTool({
    name: "propose_post",
    arguments: { publications: [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts }] },
  });
  expect(JSON.stringify(content)).toContain('\\"overallStatus\\":\\"DRAFT\\"');
  await client.close();

  // The token can do nothing else, and ends when it is revoked.
  const headers = { authorization: `Bearer ${token}` };
  const statusOf = async (path: string) => (await fetch(`${service.url}${path}`, { headers })).status;
  expect([await statusOf("/v1/accounts"), await statusOf("/v1/posts"), await statusOf("/v1/media")]).toEqual([
    ...[200, 403, 403],
  ]);
});

test("401 names the metadata of /mcp, and a revoked token is refused with one clear error", async ({ service }) => {
  const call = (headers: { [name: string]: string }) =>
    fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
  const metadata = `${service.url}/.well-known/oauth-protected-resource/mcp`;
  const without = await call({});
  expect([without.status, without.headers.get("www-authenticate")]).toEqual([
    401,
    `Bearer realm="carillon", scope="${SCOPE}", resource_metadata="${metadata}"`,
  ]);
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: `${service.url}/mcp`,
    authorization_servers: [service.url],
    scopes_supported: [SCOPE],
  });
  const { client } = await connectAgent(service);
  await client.close();
  const authorization = `Bearer ${token}`;
  expect((await call({ authorization })).status).toBe(200);
  const fields = { client_id: agent.clientId, client_secret: agent.clientSecret, token };
  await service.anybody.post("/oauth/revoke", fields);
  await expect.poll(async () => (await call({ authorization })).status).toBe(401);
  const refused = await call({ authorization });
  expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  expect(await refused.json()).toEqual({ error: expect.stringContaining("expired or revoked") });
});

/** The suite calls two tools of its own example server, and takes any text as their answer. Our tools take their place. */
const STANDS_FOR: { [name: string]: { name: string; arguments: object } } = {
  test_simple_text: { name: "list_accounts", arguments: {} },
  test_error_handling: { name: "read_outcomes", arguments: { id: 999_999_999 } },
};

/**
 * The scenarios that cannot pass here: they need pictures or sounds from a tool, messages while it runs, or optional features that
 * this server does not announce (resources, prompts, logging, completion, sessions). The suite fails if one of them passes.
 */
const FIXTURES = [
  ...["server-sse-multiple-streams", "logging-set-level", "completion-complete"],
  ...[
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
  ],
  ...["elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
  ...[
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
  ],
  ...[
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
];

/**
 * Serves the product to a program that cannot send a token and knows other tools: adds the token, uses the product's address in
 * place of its own and our tools in place of the others, and passes on everything else, also the `Host` and `Origin` of another site.
 */
async function authorized(url: string, token: string): Promise<Server> {
  const { hostname, port, host } = new URL(url);
  const server = createServer(async (incoming, outgoing) => {
    const { port: own } = server.address() as AddressInfo;
    const body = withOurTool(await text(incoming));
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    if (body) headers["content-length"] = String(Buffer.byteLength(body));
    if (headers.host === `localhost:${own}`) headers.host = host;
    if (headers.origin === `http://localhost:${own}`) headers.origin = url;
    const to = { hostname, port, path: incoming.url, method: incoming.method, headers };
    const passed = request(to, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    passed.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return server;
}

function withOurTool(body: string): string {
  const { params, ...message } = body ? JSON.parse(body) : {};
  const ours = message.method === "tools/call" && STANDS_FOR[params.name];
  return ours ? JSON.stringify({ ...message, params: ours }) : body;
}

const node = join(root, ".cache/node-versions/node_modules/node-24/bin/node");
const tools = join(root, ".cache/mcp/node_modules/@modelcontextprotocol");
const isInstalled = existsSync(node) && existsSync(join(root, ".cache/mcp/installed"));

test.describe("the official tools", () => {
  test.skip(!isInstalled, "The tools or the Node that they need are not installed");

  const inspect = async (...args: string[]) => {
    const inspector = join(tools, "inspector/clients/launcher/build/index.js");
    const { stdout } = await run(node, [inspector, "--cli", ...args]);
    return JSON.parse(stdout);
  };
  const personalToken = async ({ product, person }: Service) => {
    const of = ["tokens", "create", "--user", person.email, "--scope", "posts.propose"];
    return ((await product.carillon(...of)) as { access_token: string }).access_token;
  };
  const NAMES = [
    ...["list_accounts", "list_destinations", "preview_post", "propose_post", "read_outcomes", "read_rules"],
    ...["revise_post", "validate_post", "withdraw_post"],
  ];
  const namesIn = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name).sort();

  test("the inspector lists and calls the tools over HTTP, and finds their schemas portable", async ({ service }) => {
    const server = [`${service.url}/mcp`, "--header", `Authorization: Bearer ${await personalToken(service)}`];
    expect(namesIn(await inspect(...server, "--method", "tools/list", "--strict"))).toEqual(NAMES);
    const called = await inspect(...server, "--method", "tools/call", "--tool-name", "list_accounts");
    expect(called.content[0].text).toContain("data");
  });

  test("the inspector lists and calls the tools over stdin and stdout", async ({ service }) => {
    await run(process.execPath, [join(root, "packages/mcp/build.mjs")]);
    const settings = { CARILLON_URL: service.url, CARILLON_TOKEN: await personalToken(service) };
    const given = Object.entries(settings).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const server = [...given, process.execPath, join(root, "packages/mcp/dist/cli.js")];
    expect(namesIn(await inspect(...server, "--method", "tools/list"))).toEqual(NAMES);
    const called = await inspect(...server, "--method", "tools/call", "--tool-name", "list_accounts");
    expect(called.content[0].text).toContain("data");
  });

  test("the test suite of the protocol", async ({ service }) => {
    const proxy = await authorized(service.url, await personalToken(service));
    try {
      const baseline = test.info().outputPath("expected.yml");
      await writeFile(baseline, `server:\n${FIXTURES.map((name) => `  - ${name}\n`).join("")}`);
      const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
      const suite = join(tools, "conformance/dist/index.js");
      const args = [suite, "server", "--url", url, "--expected-failures", baseline];
      const ended = await run(node, args, { cwd: test.info().outputPath() }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      );
      const summary = ended.stdout.slice(ended.stdout.indexOf("=== SUMMARY"));
      expect(ended.code, summary).toBe(0);
      const passing = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];
      for (const name of [...passing, "tools-call-simple-text", "tools-call-error"])
        expect(summary).toMatch(new RegExp(`✓ ${name}: \\d+ passed, 0 failed`));
    } finally {
      proxy.close();
    }
  });
});

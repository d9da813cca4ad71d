import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../../lib/env";
import { createPersonalToken, everyScope } from "../../lib/oauth";
import { as, connectAccount, jpeg, newOwner, postsOn, readResponse, withWorker } from "../../lib/testing";
import { withApiServed } from "../../lib/testing/served";
import { eventTypes, signedHeaders } from "../../lib/webhooks";
import { CarillonError } from "../sdk/src";
import { utcTimeOf } from "./nodes/Carillon/time";

/** Where `bin/n8n.mjs` installs n8n's packages. */
const n8nFolder = join(import.meta.dirname, "../../.cache/n8n");
const isInstalled = existsSync(join(n8nFolder, "installed"));
const withN8n = describe.skipIf(!isInstalled);

withApiServed();
withWorker();

type Values = { [name: string]: unknown };
type Icon = { light: string; dark: string };
/** The parts of n8n's interfaces that the tests use: n8n's types are installed outside of the project. */
type Request = { url: string; method?: string; headers?: { [name: string]: string }; body?: unknown };
type Rule = { type: string; properties: { value?: unknown; key: string; message: string } };
type Credential = {
  icon: Icon;
  authenticate: { properties: { headers: { [name: string]: string } } };
  test: { request: { baseURL: string; url: string; method: string; ignoreHttpStatusErrors?: boolean }; rules: Rule[] };
};
type Item = { json: Values; pairedItem?: unknown };
type Option = { name: string; value: string };
type Node = {
  description: { icon: Icon };
  methods: { loadOptions: { getAccounts: () => Promise<unknown>; getDestinations: () => Promise<Option[]> } };
  execute: () => Promise<Item[][]>;
};
type Hook = () => Promise<boolean>;
type Trigger = {
  description: { icon: Icon; properties: { options?: { value: string }[] }[] };
  webhookMethods: { default: { checkExists: Hook; create: Hook; delete: Hook } };
  webhook: () => Promise<unknown>;
};

const run = promisify(execFile);
const source = import.meta.dirname;
const HOOK = "https://n8n.example.com/webhook/1";
/** The package as npm publishes it. It lies below the folder whose `n8n-workflow` the nodes use, as they use that of n8n. */
let folder: string;
let credential: Credential;
let node: Node;
let trigger: Trigger;
let owner: string;
let token: string;
let account: { id: number; person: string };

beforeAll(async () => {
  if (!isInstalled) return;
  folder = await mkdtemp(join(n8nFolder, "test-"));
  const packed = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: source });
  await run("tar", ["-xzf", join(folder, JSON.parse(packed.stdout)[0].filename), "-C", folder]);
  const load = createRequire(join(folder, "package/package.json"));
  const { n8n } = load("./package.json");
  const loaded = Object.assign({}, ...[...n8n.credentials, ...n8n.nodes].map((file: string) => load(`./${file}`)));
  [credential, node, trigger] = [new loaded.CarillonApi(), new loaded.Carillon(), new loaded.CarillonTrigger()];
  owner = await newOwner();
  token = (await createPersonalToken(owner, everyScope)).access_token;
  account = await connectAccount(owner, "X_TWITTER");
});
afterAll(() => isInstalled && rm(folder, { recursive: true, force: true }));

/** Resolves an expression as n8n does, such as `=Bearer {{$credentials.token}}`. */
function resolved(text: string, credentials: Values): string {
  if (!text.startsWith("=")) return text;
  return text
    .slice(1)
    .replace(/\{\{(.+?)\}\}/g, (_, code) => new Function("$credentials", `return ${code}`)(credentials));
}

/** Sends a request with the headers of the credential, as n8n's helper does. */
async function sent(credentials: Values, { url, method, headers, body }: Request) {
  const own = Object.entries(credential.authenticate.properties.headers);
  const added = own.map(([name, value]) => [name, resolved(value, credentials)]);
  const all = { ...headers, ...Object.fromEntries(added) };
  const answer = await fetch(url, { method, headers: all, body: body as BodyInit, redirect: "manual" });
  return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
}

/** What n8n gives to a node while it runs. */
function contextOf(
  parameters: Values,
  { items = [{ json: {} }], credentials = { url: env.baseUrl, token }, ...more }: Values = {},
) {
  return {
    getCredentials: async () => credentials,
    getNodeParameter: (name: string, _item: number, fallback: unknown) => parameters[name] ?? fallback,
    getCurrentNodeParameter: (name: string) => parameters[name],
    getInputData: () => items,
    getNode: () => ({
      id: "node",
      name: "Carillon",
      type: "carillon",
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    }),
    getExecutionId: () => "1",
    getInstanceId: () => owner,
    getTimezone: () => "Europe/Berlin",
    continueOnFail: () => false,
    evaluateExpression: () => 0,
    getContext: () => ({}),
    getWorkflow: () => ({ name: "Bells" }),
    getNodeWebhookUrl: () => HOOK,
    helpers: {
      httpRequestWithAuthentication: (_name: string, options: Request) => sent(credentials as Values, options),
      assertBinaryData: () => ({ fileName: "bells.jpg", mimeType: "image/jpeg" }),
      getBinaryDataBuffer: () => jpeg(),
      returnJsonArray: (json: unknown) => [{ json }],
    },
    ...more,
  };
}

async function executed(parameters: Values, options?: Values): Promise<Item[]> {
  const [results = []] = await node.execute.call(contextOf(parameters, options));
  return results;
}
const creating = (more: Values = {}) => ({
  ...{ resource: "post", operation: "create", accountIds: [account.id], text: "From n8n", when: "now", settings: "{}" },
  ...more,
});

test.skipIf(!isInstalled)(
  "the package has one script for each node and credential, their icons, the licence, and no dependency",
  async () => {
    const place = join(folder, "package");
    expect((await readdir(place)).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    const files = await readdir(join(place, "dist"), { recursive: true });
    expect(files.filter((file) => /\.\w+$/.test(file)).sort()).toEqual([
      "credentials/CarillonApi.credentials.js",
      "icons/carillon.dark.svg",
      "icons/carillon.svg",
      "nodes/Carillon/Carillon.node.js",
      "nodes/CarillonTrigger/CarillonTrigger.node.js",
    ]);
    expect(JSON.parse(await readFile(join(place, "package.json"), "utf8")).dependencies).toBe(undefined);
    for (const [script, icon] of [
      ["credentials", credential.icon],
      ["nodes/Carillon", node.description.icon],
      ["nodes/CarillonTrigger", trigger.description.icon],
    ] as const)
      for (const file of [icon.light, icon.dark])
        expect(existsSync(join(place, "dist", script, file.replace("file:", "")))).toBe(true);
  },
);

withN8n("the credential is checked when it is saved", () => {
  /** Returns the message that n8n 1.119 shows, or undefined if it accepts the credential. It never reached its rules for statuses. */
  async function check(credentials: Values): Promise<string | undefined> {
    const { request, rules } = credential.test;
    const url = resolved(request.baseURL, credentials) + request.url;
    const { statusCode, body } = await sent(credentials, { url, method: request.method });
    if (statusCode >= 300 && !request.ignoreHttpStatusErrors) return `status ${statusCode}`;
    const answer = body.startsWith("{") ? JSON.parse(body) : {};
    for (const { type, properties } of rules)
      if (type === "responseSuccessBody" && answer[properties.key] === properties.value) return properties.message;
    return undefined;
  }

  test("with and without a slash at the end of the address", async () => {
    expect(await check({ url: env.baseUrl, token })).toBe(undefined);
    expect(await check({ url: `${env.baseUrl}/`, token })).toBe(undefined);
  });

  test.each([
    {
      wrong: "token",
      given: () => ({ url: env.baseUrl, token: "wrong" }),
      says: "The token is wrong, expired or revoked.",
    },
    { wrong: "page", given: () => ({ url: `${env.baseUrl}/docs`, token }), says: "This is not the address" },
    { wrong: "address", given: () => ({ url: `${env.baseUrl}/v1`, token }), says: "This is not the address" },
  ])("a wrong $wrong", async ({ given, says }) => {
    expect(await check(given())).toContain(says);
  });
});

withN8n("the node", () => {
  test("lists the accounts", async () => {
    expect(await node.methods.loadOptions.getAccounts.call(contextOf({}))).toEqual([
      { name: `${account.person} (X_TWITTER)`, value: account.id },
    ]);
  });

  test("uploads a file, creates a post with it and waits for its outcome", async () => {
    const [{ json: { path } = {} } = {}] = await executed({
      resource: "file",
      operation: "upload",
      binaryPropertyName: "data",
    });
    expect(path).toMatch(/^[\w-]+\/[\w-]+\.jpg$/);
    const [created] = await executed(creating({ attachmentPaths: [path] }), { getExecutionId: () => "with a file" });
    expect(created?.pairedItem).toEqual({ item: 0 });
    const waiting = { resource: "post", operation: "wait", postId: created?.json.id, timeoutSeconds: 60 };
    expect((await executed(waiting))[0]?.json).toMatchObject({ overallStatus: "COMPLETED" });
    expect(JSON.stringify(await postsOn("x", account.person))).toContain("From n8n");
  });

  test("schedules in the time zone of the workflow, with settings, and drafts", async () => {
    const planned = creating({
      ...{ when: "scheduled", scheduledTime: "2031-05-01T09:00:00", text: "Later" },
      settings: '{"X_TWITTER": {"whoCanReply": "FOLLOWING"}}',
    });
    expect((await executed(planned, { getExecutionId: () => "2" }))[0]?.json).toMatchObject({
      scheduledTime: "2031-05-01T07:00:00Z",
      publications: [{ platformSettings: { whoCanReply: "FOLLOWING" } }],
    });
    const [draft] = await executed(creating({ when: "draft" }), { getExecutionId: () => "3" });
    expect(draft?.json).toMatchObject({ overallStatus: "DRAFT" });
  });

  test("posts once if n8n runs the same item again, and once for each item", async () => {
    const planned = creating({ when: "scheduled", scheduledTime: "2031-05-02T09:00:00" });
    const options = { items: [{ json: {} }, { json: {} }], getExecutionId: () => "4" };
    const ids = async () => (await executed(planned, options)).map(({ json }) => json.id);
    const first = await ids();
    expect(new Set(first).size).toBe(2);
    expect(await ids()).toEqual(first);
  });

  test("posts once if n8n tries an item again that is published now, and publishes that of a later run", async () => {
    const options = {
      getContext: (
        (kept) => () =>
          kept
      )({}),
      getExecutionId: () => "now",
    };
    const id = async (more: Values = {}) =>
      (await executed(creating({ text: "Once" }), { ...options, ...more }))[0]?.json.id;
    const first = await id();
    expect(await id()).toBe(first);
    expect(await id({ evaluateExpression: () => 1 })).not.toBe(first);
  });

  test("takes single values, as expressions give them", async () => {
    const planned = creating({
      accountIds: account.id,
      attachmentPaths: "",
      settings: '{"x_twitter": {"whoCanReply": "FOLLOWING"}}',
    });
    const [created] = await executed({ ...planned, when: "draft" }, { getExecutionId: () => "7" });
    expect(created?.json).toMatchObject({
      publications: [{ socialMediaAccountId: account.id, platformSettings: { whoCanReply: "FOLLOWING" } }],
    });
  });

  test.each([
    ["{", /^Settings must be JSON with one object for each network, such as /],
    ["null", /^Settings must be JSON with one object/],
    ['{"X_TWITTER": "FOLLOWING"}', /^Settings must be JSON with one object/],
    ['{"YOUTBE": {"title": "Bells"}}', /^Settings has YOUTBE, but no account is on that network\. Use X_TWITTER$/],
  ])("refuses the settings %s", async (settings, message) => {
    await expect(executed(creating({ settings }))).rejects.toThrow(message);
  });

  test("an error names the item and says what to do", async () => {
    const long = creating({ text: "long ".repeat(100) });
    await expect(executed(long, { getExecutionId: () => "5" })).rejects.toMatchObject({
      name: "NodeOperationError",
      message: expect.stringMatching(/^publications\[0\].* at most 280 .*\. Shorten/),
      context: { itemIndex: 0 },
    });
    const failing = await executed(long, { continueOnFail: () => true, getExecutionId: () => "6" });
    expect(failing).toEqual([{ json: { error: expect.stringContaining(". Shorten") }, pairedItem: { item: 0 } }]);
    const wrong = { credentials: { url: env.baseUrl, token: "wrong" } };
    await expect(executed(creating(), wrong)).rejects.toThrow(
      /The token is wrong, expired or revoked\. Create .*, and store it as “Token” in the credential$/,
    );
  });

  test("a wrong address names the field of the credential", async () => {
    const at = (url: string) => ({ credentials: { url, token } });
    await expect(executed(creating(), at(`${env.baseUrl}/v1`))).rejects.toThrow(
      `“Server Address” in the credential is ${env.baseUrl}/v1. It must be like https://social.example.com, without /v1`,
    );
    const server = createServer((_, response) => response.writeHead(404, { "content-type": "text/html" }).end());
    await once(server.listen(0, "localhost"), "listening");
    const page = at(`http://localhost:${(server.address() as AddressInfo).port}`);
    const says = "Check that “Server Address” in the credential is the address of a Carillon server";
    await expect(executed(creating(), page)).rejects.toThrow(says);
    await expect(node.methods.loadOptions.getAccounts.call(contextOf({}, page))).rejects.toThrow(says);
    await expect(trigger.webhookMethods.default.create.call(contextOf({ events: [] }, page))).rejects.toThrow(says);
    server.close();
  });

  test("offers the boards of the chosen accounts, and posts to those that are chosen", async () => {
    const { id } = await connectAccount(owner, "PINTEREST");
    const { getDestinations } = node.methods.loadOptions;
    const offered = await getDestinations.call(contextOf({ accountIds: [account.id, id] }));
    const ids = offered.map(({ value }) => value.split("/"));
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids.map(([accountId]) => accountId))).toEqual(new Set([String(id)]));
    expect(await getDestinations.call(contextOf({ accountIds: [account.id] }))).toEqual([]);
    expect(await getDestinations.call(contextOf({}))).toEqual([]);

    const planned = { ...creating({ accountIds: [account.id, id], when: "draft" }) };
    const chosen = { ...planned, destinations: offered.map(({ value }) => value) };
    const [created] = await executed(chosen, { getExecutionId: () => "with destinations" });
    const publications = created?.json.publications as { socialMediaAccountId: number; posts: { chatId?: string }[] }[];
    expect(publications.map(({ socialMediaAccountId, posts }) => [socialMediaAccountId, posts[0]?.chatId])).toEqual([
      [account.id, undefined],
      ...ids.map(([, chatId]) => [id, chatId]),
    ]);
    const wrong = /^7\/5 is not a destination of a chosen account\. Choose one from the list/;
    await expect(executed({ ...planned, destinations: "7/5" })).rejects.toThrow(wrong);
  });
});

test("an error of a wait names the field of the node", async () => {
  const { inFields } = await import(join(source, "nodes/client.ts")); // with a literal path, TypeScript would look for n8n's types
  const late = new CarillonError("Post 7 is still SCHEDULED after 600000 ms. Wait longer with timeoutMs");
  expect(() => inFields(late)).toThrow("Post 7 is still SCHEDULED after 600000 ms. Set a longer “Timeout” in the node");
});

test.each([
  ["2031-05-01T09:00:00", "2031-05-01T07:00:00.000Z"],
  ["2031-01-01 09:00:00", "2031-01-01T08:00:00.000Z"],
  ["2031-05-01T09:00:00-04:00", "2031-05-01T13:00:00.000Z"],
  ["2031-03-30T01:30:00", "2031-03-30T00:30:00.000Z"], // half an hour before the clocks go forward
  ["2031-03-30T03:30:00", "2031-03-30T01:30:00.000Z"],
])("%s in Berlin is %s", (time, utc) => {
  expect(utcTimeOf(time, "Europe/Berlin")).toBe(utc);
});

withN8n("the trigger", () => {
  const events = ["post.completed", "post.failed"];
  const listed = async () => {
    const [, page] = await readResponse(as(owner).get("/v1/webhooks"));
    return (page as { items: { url: string; events: string[]; enabled: boolean }[] }).items;
  };

  test("registers a webhook, accepts only its messages, and removes it", async () => {
    const stored: Values = {};
    const hooked = (wanted = events) => contextOf({ events: wanted }, { getWorkflowStaticData: () => stored });
    const { checkExists, create, delete: remove } = trigger.webhookMethods.default;
    expect(await checkExists.call(hooked())).toBe(false);
    expect(await create.call(hooked())).toBe(true);
    expect(await listed()).toMatchObject([{ url: HOOK, events, enabled: true }]);
    expect(await checkExists.call(hooked())).toBe(true);

    const body = JSON.stringify({ type: "post.completed", timestamp: "2031-05-01T12:00:00Z", data: { id: 7 } });
    const headers = signedHeaders({ id: "evt_1", seconds: Math.floor(Date.now() / 1_000), body }, [
      String(stored.secret),
    ]);
    const answered: number[] = [];
    const response = { status: (code: number) => ({ send: () => ({ end: () => answered.push(code) }) }) };
    const received = (rawBody: string) =>
      trigger.webhook.call(
        contextOf(
          {},
          {
            getWorkflowStaticData: () => stored,
            getRequestObject: () => ({ rawBody: Buffer.from(rawBody), headers }),
            getResponseObject: () => response,
          },
        ),
      );
    expect(await received(body)).toEqual({ workflowData: [[{ json: JSON.parse(body) }]] });
    expect(answered).toEqual([]);
    expect(await received(`${body} `)).toEqual({ noWebhookResponse: true });
    expect(answered).toEqual([400]);

    // Other events: n8n then creates it again.
    expect(await checkExists.call(hooked(["post.failed"]))).toBe(false);
    expect(await listed()).toEqual([]);
    await create.call(hooked(["post.failed"]));
    expect(await remove.call(hooked())).toBe(true);
    expect([await listed(), stored]).toEqual([[], {}]);
    expect(await remove.call(hooked())).toBe(true);
  });

  test("a webhook that somebody deleted in the dashboard can be registered again and removed", async () => {
    const stored: Values = { webhookId: 2_000_000_000, secret: "whsec_AA==" };
    const context = contextOf({ events }, { getWorkflowStaticData: () => stored });
    expect(await trigger.webhookMethods.default.checkExists.call(context)).toBe(false);
    expect(await trigger.webhookMethods.default.delete.call(context)).toBe(true);
  });

  test("offers every event of the API", () => {
    const [field] = trigger.description.properties;
    const offered = (field?.options ?? []).map(({ value }) => value);
    expect(offered.sort()).toEqual([...eventTypes].sort());
  });
});

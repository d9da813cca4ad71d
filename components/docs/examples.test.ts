import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { type OpenApi, openApiDocument } from "@/lib/api";
import { type CodeLanguage, codeExamplesOf, postmanCollection } from "./examples";
import { type DocumentedCall, documentedCalls } from "./places";

const run = promisify(execFile);
const hasPython = await run("python3", ["--version"]).then(
  () => true,
  () => false,
);

/** What a server receives: a body as its parsed JSON, its text, or the files of its form. */
type Received = { method?: string; url?: string; headers: { [name: string]: unknown }; body: unknown };

const NAMES = ["authorization", "content-type", "x-api-key", "x-connect-external-user-id"];
const ENV = { ...process.env, TOKEN: "the-token" };
const FILE = "the bytes of a picture";

function received(method: string, url: string, headers: { [name: string]: unknown }, body: unknown): Received {
  const given = NAMES.filter((name) => headers[name] !== undefined);
  return { method, url, headers: Object.fromEntries(given.map((name) => [name, headers[name]])), body };
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const sent = await text(request);
  const [type] = (request.headers["content-type"] ?? "").split(";");
  const headers = type ? { ...request.headers, "content-type": type } : request.headers;
  const files = [...sent.matchAll(/name="(\w+)"; filename="([^"]+)"[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/g)].map((one) =>
    one.slice(1),
  );
  const body = type === "multipart/form-data" ? files : type === "application/json" ? JSON.parse(sent) : sent;
  return received(request.method ?? "", request.url ?? "", headers, body);
}

/** Runs the examples of all calls, one after the other, and returns what the service receives from each. */
async function sendAll(document: OpenApi, calls: DocumentedCall[], language: CodeLanguage): Promise<Received[]> {
  const got: Received[] = [];
  const server = createServer(async (request, response) => {
    got.push(await readRequest(request));
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  const folder = await mkdtemp(join(tmpdir(), "carillon-examples-"));
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const examples = calls.map((call) => codeExamplesOf({ ...document, servers: [{ url }] }, call)[language]);
  await writeFile(join(folder, "bells.jpg"), FILE);
  if (language === "python") return runPython(folder, url, examples);
  if (language === "node") await runNode(folder, examples);
  else await run("sh", ["-ec", examples.join("\n")], { cwd: folder, env: ENV });
  return got;
}

async function runNode(folder: string, examples: string[]): Promise<void> {
  for (const [index, example] of examples.entries()) await writeFile(join(folder, `${index}.mjs`), example);
  const all = examples.map((_, index) => `await import("./${index}.mjs");`).join("\n");
  await writeFile(join(folder, "all.mjs"), all);
  await run(process.execPath, ["all.mjs"], { cwd: folder, env: ENV });
}

/** Takes the place of the Python package `requests`, which this project does not install: it prints each request. */
const REQUESTS = `
import json as js
class Answer:
    status_code = 200
    text = ""
    def json(self): return {}
def sender(method):
    def send(url, headers={}, json=None, data=None, files={}):
        parts = [[name, file.name, file.read().decode()] for name, file in files.items()]
        sent = json if json is not None else data.decode() if data is not None else parts
        kind = "json" if json is not None else "form" if files else "text"
        print("SENT" + js.dumps([method, url, headers, sent, kind]))
        return Answer()
    return send
get, post, put, patch, delete = [sender(name) for name in ["GET", "POST", "PUT", "PATCH", "DELETE"]]
`;

async function runPython(folder: string, url: string, examples: string[]): Promise<Received[]> {
  await writeFile(join(folder, "requests.py"), REQUESTS);
  for (const [index, example] of examples.entries()) await writeFile(join(folder, `e${index}.py`), example);
  await writeFile(join(folder, "all.py"), examples.map((_, index) => `import e${index}`).join("\n"));
  const { stdout } = await run("python3", ["all.py"], { cwd: folder, env: ENV });
  return stdout.split("\n").flatMap((line) => {
    if (!line.startsWith("SENT")) return [];
    const [method, address, headers, body, kind] = JSON.parse(line.slice(4));
    const types: { [kind: string]: string } = { json: "application/json", form: "multipart/form-data" };
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const all = { ...Object.fromEntries(lower), ...(types[kind] ? { "content-type": types[kind] } : {}) };
    return [received(method, address.slice(url.length), all, kind === "text" && body.length === 0 ? "" : body)];
  });
}

const document = openApiDocument();
const calls = documentedCalls(document);

/** What the document says that each call sends. */
function expected({ path, method, operation }: DocumentedCall): Received {
  const [[type, { examples = {} }] = ["", {}]] = Object.entries(operation.requestBody?.content ?? {});
  const value = Object.values(examples)[0]?.value;
  const isForm = type === "multipart/form-data";
  const body = isForm ? Object.entries(value as object).map(([part, name]) => [part, name, FILE]) : (value ?? "");
  return {
    method: method.toUpperCase(),
    url: expect.stringMatching(new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}(\\?.*)?$`)),
    headers: {
      ...(operation.security.length > 0 ? { authorization: "Bearer the-token" } : {}),
      ...(value === undefined ? {} : { "content-type": type }),
      ...(operation.operationId === "authorizeUrl" ? { "x-api-key": expect.any(String) } : {}),
      ...(["authorizeUrl", "confirmAccount", "createConnectSession"].includes(operation.operationId)
        ? { "x-connect-external-user-id": "customer-42" }
        : {}),
    },
    body,
  };
}

test.for(["curl", "node", "python"] as const)(
  "the %s examples of all calls send what the document says",
  async (language, { skip }) => {
    skip(language === "python" && !hasPython, "Python is not installed");
    expect(await sendAll(document, calls, language)).toEqual(calls.map(expected));
  },
);

type Pair = { key: string; value: string; disabled?: boolean; src?: string };
type PostmanRequest = {
  method: string;
  auth?: { type: string };
  header: Pair[];
  url: { raw: string; host: string[]; path: string[]; query: Pair[]; variable: Pair[] };
  body?: { mode: string; raw?: string; formdata?: Pair[] };
};
type Collection = {
  info: { schema: string };
  variable: Pair[];
  item: { name: string; item: { name: string; request: PostmanRequest }[] }[];
};

function collection(): Collection {
  return JSON.parse(JSON.stringify(postmanCollection(document)));
}

/** What Postman sends for a request, according to its collection format 2.1. */
function sentByPostman({ method, auth, header, url, body }: PostmanRequest): Received {
  const variableNamed = (key: string) => url.variable.find((one) => one.key === key)?.value ?? "";
  const path = url.path.map((segment) =>
    segment.startsWith(":") ? encodeURIComponent(variableNamed(segment.slice(1))) : segment,
  );
  const query = new URLSearchParams(url.query.flatMap(({ key, value, disabled }) => (disabled ? [] : [[key, value]])));
  const headers = {
    ...Object.fromEntries(header.map(({ key, value }) => [key.toLowerCase(), value])),
    ...(auth?.type === "noauth" ? {} : { authorization: "Bearer the-token" }),
    ...(body?.mode === "formdata" ? { "content-type": "multipart/form-data" } : {}),
  };
  const parts = body?.formdata?.map(({ key, src }) => [key, src, FILE]);
  const isJson = headers["content-type"] === "application/json";
  const sent = parts ?? (isJson ? JSON.parse(body?.raw ?? "") : (body?.raw ?? ""));
  return received(method, `/${path.join("/")}${query.size > 0 ? `?${query}` : ""}`, headers, sent);
}

test("the Postman collection has a request for each call, which sends what the document says", () => {
  const folders = collection().item;
  expect(folders.map(({ name }) => name)).toEqual(document.tags.map(({ name }) => name));
  const inFolders = folders.flatMap(({ name }) => calls.filter(({ operation }) => operation.tags[0] === name));
  const requests = folders.flatMap(({ item }) => item);
  expect(requests.map(({ name }) => name)).toEqual(inFolders.map(({ operation }) => operation.summary));
  expect(requests.map(({ request }) => sentByPostman(request))).toEqual(inFolders.map(expected));
  expect(inFolders).toHaveLength(calls.length);
});

test("the Postman collection has the address and the token as variables, which no example contains", () => {
  const { info, variable, item } = collection();
  expect(info.schema).toBe("https://schema.getpostman.com/json/collection/v2.1.0/collection.json");
  expect(variable.map(({ key, value }) => [key, value])).toEqual([
    ["baseUrl", document.servers[0]?.url],
    ["token", ""],
  ]);
  // Postman leaves other names in double braces as they are, such as those in the templates of feeds.
  const bodies = item.flatMap((folder) => folder.item).map(({ request }) => JSON.stringify(request.body ?? ""));
  expect(bodies.filter((body) => /\{\{(baseUrl|token)\}\}/.test(body))).toEqual([]);
});

/** Text that each language would read as something else if it were not escaped. */
const AWKWARD = `it's "quoted" $HOME \${TOKEN} \`id\` \\n \\ {0} %s #{x} 'ring' 🔔\n\tnext line`;

function awkwardCall(type: string, value: unknown): DocumentedCall {
  const like = calls.find(({ operation }) => operation.operationId === "createPost");
  if (!like) throw new Error("createPost is missing");
  const content = { [type]: { schema: {}, examples: { usual: { value } } } };
  const parameters = [
    { name: "id", in: "path" as const, required: true, schema: {}, example: "a b'c" },
    { name: "text", in: "query" as const, required: false, schema: {}, example: `it's & "more" [x] {y}` },
    { name: "x-api-key", in: "header" as const, required: true, schema: {}, example: `it's $HOME "` },
  ];
  const operation = { ...like.operation, parameters, requestBody: { required: true, content } };
  return { path: "/v1/things/{id}", method: "patch", operation };
}

const VALUE = {
  text: AWKWARD,
  "a-key's": [true, false, null, 1.5, [], {}],
  class: { $dollar: "", nested: [[{ deep: AWKWARD }]] },
};

test.for(["curl", "node", "python"] as const)(
  "%s keeps quotes, dollars, backslashes and line breaks as they are",
  async (language, { skip }) => {
    skip(language === "python" && !hasPython, "Python is not installed");
    const awkward = [awkwardCall("application/json", VALUE), awkwardCall("text/csv", AWKWARD)];
    const sent = await sendAll(document, awkward, language);
    const url = "/v1/things/a%20b%27c?text=it%27s%20%26%20%22more%22%20%5Bx%5D%20%7By%7D";
    const headers = { authorization: "Bearer the-token", "x-api-key": `it's $HOME "` };
    expect(sent).toEqual([
      { method: "PATCH", url, headers: { ...headers, "content-type": "application/json" }, body: VALUE },
      { method: "PATCH", url, headers: { ...headers, "content-type": "text/csv" }, body: AWKWARD },
    ]);
  },
);

import { once } from "node:events";
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { withSource } from "../../../lib/api/testing/import-source";
import { env } from "../../../lib/env";
import { createPersonalToken, everyScope, listPersonalTokens, revokePersonalToken } from "../../../lib/oauth";
import {
  callsOn,
  connectAccount,
  fault,
  inAnHour,
  jpeg,
  newOwner,
  newPartner,
  postsOn,
  withDeliveries,
  withReceivers,
  withWorker,
} from "../../../lib/testing";
import { withApiServed } from "../../../lib/testing/served";
import { signedHeaders } from "../../../lib/webhooks/secret";
import { Carillon, CarillonError, CarillonPartner, type Problem, verifyWebhook } from "./index";

withApiServed();
withWorker();

type Step = "answer" | "lose" | "cut" | ((response: ServerResponse) => void);
/** What happens to the next requests through the proxy: answered, answer lost, answer cut off, or answered by the proxy itself. */
let steps: Step[] = [];
/** The requests that the proxy received, with the time of each. */
let seen: { method?: string; url?: string; headers: IncomingMessage["headers"]; time: number }[] = [];

/** A proxy in front of the real API that loses answers after the API has done the work. */
const proxy = createServer((incoming, outgoing) => {
  const step = steps.shift() ?? "answer";
  seen.push({ method: incoming.method, url: incoming.url, headers: incoming.headers, time: Date.now() });
  if (typeof step === "function") return incoming.resume().on("end", () => step(outgoing));
  const target = { host: "localhost", port: env.port, path: incoming.url };
  const onward = requestOf({ ...target, method: incoming.method, headers: incoming.headers }, (answer) => {
    if (step !== "answer") {
      answer.resume().on("end", () => {
        if (step === "cut") outgoing.writeHead(answer.statusCode ?? 0, { "content-length": "999" }).write('{"id":');
        outgoing.socket?.destroy();
      });
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward);
});

let baseUrl: string;
let owner: string;
let token: string;
let carillon: Carillon;
let account: number;
let person: string;

beforeAll(async () => {
  await once(proxy.listen(0, "localhost"), "listening");
  baseUrl = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  owner = await newOwner();
  token = (await createPersonalToken(owner, everyScope)).access_token;
  carillon = new Carillon({ baseUrl, token });
  ({ id: account, person } = await connectAccount(owner, "X_TWITTER"));
});
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});
beforeEach(() => {
  steps = [];
  seen = [];
});

const bodyOf = (content: string, at = inAnHour()) => ({
  scheduledTime: at.toISOString(),
  publications: [
    { socialMediaAccountId: account, platformSettings: { type: "TWITTER" as const }, posts: [{ content }] },
  ],
});
const says =
  (word: string, status = 429, headers = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ error: word }));
/** Refuses so many requests once all of them have arrived, so that none of them is answered by a later step. */
function refusesTogether(count: number): Step[] {
  const waiting: ServerResponse[] = [];
  return Array.from({ length: count }, () => (response) => {
    waiting.push(response);
    if (waiting.length === count) for (const one of waiting) says("Unauthorized", 401)(one);
  });
}
const failure = (promise: Promise<unknown>): Promise<CarillonError> =>
  promise.then(
    () => expect.unreachable("the call succeeded"),
    (error) => error,
  );
const countOf = async (text: string) => (await carillon.get("/v1/posts", { query: { text } })).items.length;

describe("nothing is done twice", () => {
  test.each<[string, Step[]]>([
    ["whose answer was lost", ["lose"]],
    ["whose answer was cut off", ["cut"]],
    ["whose answer was lost twice", ["cut", "lose"]],
    ["after a 503 of a proxy that had passed it on", ["lose", says("overloaded", 503)]],
  ])("one post for a call %s", async (name, losses) => {
    const text = `once ${name.replace(/\W/g, "")}`;
    steps = [...losses];
    const { id } = await carillon.post("/v1/posts", { body: bodyOf(text) });
    expect((await carillon.get("/v1/posts/{id}", { path: { id } })).id).toBe(id);
    const posted = seen.filter(({ method }) => method === "POST");
    expect(posted).toHaveLength(losses.length + 1);
    expect(new Set(posted.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(await countOf(text)).toBe(1);
  });

  test("two calls are two posts, unless they have the same key", async () => {
    const call = { body: bodyOf("two calls") };
    const made = [await carillon.post("/v1/posts", call), await carillon.post("/v1/posts", call)];
    const keyed = { ...call, idempotencyKey: `key ${owner}` };
    const same = [await carillon.post("/v1/posts", keyed), await carillon.post("/v1/posts", keyed)];
    expect(new Set([...made, ...same].map(({ id }) => id)).size).toBe(3);
  });

  test.each(["Idempotency-Key", "idempotency-key"])("one post for two calls with the same header %s", async (name) => {
    const call = { body: bodyOf(`by header ${name}`), headers: { [name]: `${name} ${owner}` } };
    const [first, second] = [await carillon.post("/v1/posts", call), await carillon.post("/v1/posts", call)];
    expect(second.id).toBe(first.id);
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual([`${name} ${owner}`, `${name} ${owner}`]);
  });

  test("one file for an upload whose answer was lost", async () => {
    const before = (await carillon.get("/v1/media/counts")).all;
    steps = ["lose"];
    await carillon.upload(await jpeg());
    expect((await carillon.get("/v1/media/counts")).all).toBe(before + 1);
  });

  test("a deletion whose answer was lost is done, and one of another post is 404", async () => {
    const { id } = await carillon.post("/v1/posts", { body: bodyOf("deleted") });
    steps = ["lose"];
    await carillon.delete("/v1/posts/{id}", { path: { id } });
    expect(await failure(carillon.delete("/v1/posts/{id}", { path: { id } }))).toMatchObject({ status: 404 });
  });

  test("a post that has lost an answer on the way to the API and one on the way to the network is on the network once", async () => {
    steps = ["lose"];
    await fault({ network: "x", operation: "publish", fault: "drop_response", account: person, times: 1 });
    const post = await carillon.post("/v1/posts", { body: bodyOf("Silence everywhere", new Date()) });
    expect(seen).toHaveLength(2);
    expect(await carillon.waitFor(post)).toMatchObject({ overallStatus: "COMPLETED" });
    expect((await callsOn("x", person, "publish")).map(({ status }) => status)).toContain(0);
    expect((await postsOn("x", person)).filter(({ text }) => text === "Silence everywhere")).toHaveLength(1);
    expect(await countOf("Silence everywhere")).toBe(1);
  });

  test.each<[string, Step, number]>([
    ["a lost answer", "lose", 0],
    ["an answer that was cut off", "cut", 0],
    ["a 503 of a proxy", says("overloaded", 503, { "retry-after": "0" }), 503],
  ])("a post without a key is not sent again after %s", async (name, step, status) => {
    const text = `keyless ${name.replace(/\W/g, "")}`;
    steps = [step];
    const call = { body: bodyOf(text), idempotencyKey: null };
    expect(await failure(carillon.post("/v1/posts", call))).toMatchObject({ status });
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined]);
    expect(await countOf(text)).toBe(status === 0 ? 1 : 0);
  });

  test("a post without a key is sent again after 429, which did nothing", async () => {
    steps = [says("slow down", 429, { "retry-after": "0" })];
    await carillon.post("/v1/posts", { body: bodyOf("limited once"), idempotencyKey: null });
    expect(await countOf("limited once")).toBe(1);
  });

  test("an import without a key is sent again, because the server knows the rows", async () => {
    const body = `scheduledTime,accounts,text\n${inAnHour().toISOString()},${account},imported once`;
    steps = ["lose"];
    const { counts } = await carillon.post("/v1/posts/import", { body, idempotencyKey: null });
    expect(counts).toMatchObject({ created: 0, existing: 1 });
    expect(await countOf("imported once")).toBe(1);
  });

  test.each(["If-Match", "if-match"])(
    "a change under %s is not sent again, because its first try may have changed the version",
    async (name) => {
      let etag: string | null = null;
      const onHeaders = (headers: Headers) => {
        etag = headers.get("etag");
      };
      const { id } = await carillon.post("/v1/posts", { body: bodyOf("guarded"), onHeaders });
      const change = { path: { id }, body: bodyOf("guarded twice"), headers: { [name]: String(etag) } };
      seen = [];
      steps = ["lose"];
      expect(await failure(carillon.put("/v1/posts/{id}", change))).toMatchObject({ status: 0 });
      expect(seen).toHaveLength(1);
      expect(await failure(carillon.put("/v1/posts/{id}", change))).toMatchObject({ status: 412 });
    },
  );

  test.each<[string, Step[]]>([
    ["whose answer was lost", ["lose"]],
    ["of another process, such as one that has just ended", []],
  ])("waits for a first try that still runs, %s", async (name, losses) => {
    const text = `still running ${name.replace(/\W/g, "")}`;
    steps = [...losses, says("A request with this Idempotency-Key is still running", 409)];
    await carillon.post("/v1/posts", { body: bodyOf(text), idempotencyKey: `${text} ${owner}` });
    expect(await countOf(text)).toBe(1);
  });

  test("a key that was used for something else is refused at once", async () => {
    const call = { body: bodyOf("first use"), idempotencyKey: `used ${owner}` };
    await carillon.post("/v1/posts", call);
    seen = [];
    const error = await failure(carillon.post("/v1/posts", { ...call, body: bodyOf("second use") }));
    expect([error.status, seen.length]).toEqual([409, 1]);
  });
});

describe("retries", () => {
  test.each([429, 503])("wait for Retry-After after %i", async (status) => {
    steps = [says("slow down", status, { "retry-after": "1" })];
    await carillon.get("/v1/me");
    expect(seen).toHaveLength(2);
    expect((seen[1]?.time ?? 0) - (seen[0]?.time ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test("wait until the date that Retry-After names", async () => {
    const date = new Date(Math.ceil(Date.now() / 1_000 + 1) * 1_000);
    steps = [says("slow down", 503, { "retry-after": date.toUTCString() })];
    await carillon.get("/v1/me");
    expect(seen).toHaveLength(2);
    expect(seen[1]?.time).toBeGreaterThanOrEqual(date.getTime());
  });

  test("end at once if Retry-After is longer than five minutes, and the error says when", async () => {
    steps = [says("slow down", 429, { "retry-after": "301" })];
    const error = await failure(carillon.get("/v1/me"));
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 301 });
    expect(error.message).toBe(
      "GET /v1/me was answered with 429: slow down. Wait 301 seconds, or make fewer calls at once",
    );
  });

  test("a time without an end is not one that ends at once", async () => {
    expect((await new Carillon({ baseUrl, token, timeoutMs: Infinity }).get("/v1/me")).name).toBe("Test");
    expect(seen).toHaveLength(1);
  });

  test("end after the number that was asked for", async () => {
    steps = ["lose", "lose", "lose"];
    const few = new Carillon({ baseUrl, token, retries: 1 });
    expect(await failure(few.get("/v1/me"))).toMatchObject({ status: 0 });
    expect(seen).toHaveLength(2);
  });

  test("a refused request is not repeated", async () => {
    await failure(carillon.get("/v1/posts/{id}", { path: { id: 999_999_999 } }));
    expect(seen).toHaveLength(1);
  });

  test("a server that does not answer counts as a lost answer", async () => {
    steps = [() => {}];
    const hasty = new Carillon({ baseUrl, token, timeoutMs: 1_000 });
    await hasty.post("/v1/posts", { body: bodyOf("no answer") });
    expect(await countOf("no answer")).toBe(1);
  });

  test("end when the signal is aborted, with its reason", async () => {
    const abort = new AbortController();
    steps = [
      (response) => {
        says("busy", 503, { "retry-after": "60" })(response);
        setImmediate(() => abort.abort("enough"));
      },
    ];
    await expect(carillon.get("/v1/me", { signal: abort.signal })).rejects.toBe("enough");
    await expect(carillon.get("/v1/me", { signal: abort.signal })).rejects.toBe("enough");
    expect(seen).toHaveLength(1);
  });
});

test("a list yields every item once, page by page", async () => {
  const other = await newOwner();
  const mine = await connectAccount(other, "X_TWITTER");
  const { access_token } = await createPersonalToken(other, everyScope);
  const own = new Carillon({ baseUrl, token: access_token });
  const made = new Set<number>();
  for (let number = 0; number < 5; number++) {
    const publication = { ...bodyOf(`page ${number}`).publications[0], socialMediaAccountId: mine.id };
    const body = { ...bodyOf(""), publications: [publication] } as ReturnType<typeof bodyOf>;
    made.add((await own.post("/v1/posts", { body })).id);
  }
  seen = [];
  const listed: number[] = [];
  for await (const { id } of own.list("/v1/posts", { query: { limit: 2, status: "SCHEDULED" } })) listed.push(id);
  expect(listed).toEqual([...made].sort((a, b) => b - a));
  expect(seen).toHaveLength(3);
  for await (const _ of own.list("/v1/posts", { query: { limit: 2 } })) break;
  expect(seen).toHaveLength(4);
});

describe("uploads", () => {
  const source = withSource(13);
  type Progress = { bytes: number; totalBytes?: number };

  function recorder() {
    const seenProgress: Progress[] = [];
    return { seenProgress, onProgress: (progress: Progress) => void seenProgress.push(progress) };
  }
  async function isStored(path: string, bytes: Buffer) {
    const key = path.split("/")[1] ?? "";
    const { sizeBytes, filename } = await carillon.get("/v1/media/{key}", { path: { key } });
    expect(sizeBytes).toBe(bytes.length);
    return filename;
  }
  function expectWhole(all: Progress[]) {
    expect(all.map(({ bytes }) => bytes)).toEqual([...all.map(({ bytes }) => bytes)].sort((a, b) => a - b));
    expect(all.at(-1)?.bytes).toBe(all.at(-1)?.totalBytes);
  }

  test("through the API, with a filename that is not ASCII", async () => {
    const bytes = await jpeg(1_500, 1_500);
    const { seenProgress, onProgress } = recorder();
    const path = await carillon.upload(bytes, { filename: "Glöckchen № 1.jpg", onProgress });
    expect(await isStored(path, bytes)).toBe("Glöckchen № 1.jpg");
    expectWhole(seenProgress);
  });

  test("straight to the store", async () => {
    const bytes = await jpeg(1_500, 1_400);
    const { seenProgress, onProgress } = recorder();
    const file = new File([new Uint8Array(bytes)], "bells.jpg", { type: "image/jpeg" });
    const path = await carillon.uploadToStore(file, { onProgress });
    expect(await isStored(path, bytes)).toBe("bells.jpg");
    expectWhole(seenProgress);
    await expect(carillon.uploadToStore(new Blob([new Uint8Array(bytes)]))).rejects.toThrow(
      "contentType is missing. The file has no type, so name one, such as image/jpeg",
    );
  });

  test("stop when the signal is aborted, with its reason, and store nothing", async () => {
    const bytes = await jpeg(800, 900);
    const file = new File([new Uint8Array(bytes)], "stopped.jpg", { type: "image/jpeg" });
    for (const way of ["upload", "uploadToStore"] as const) {
      const abort = new AbortController();
      const stopping = carillon[way](file, { signal: abort.signal, onProgress: () => abort.abort("enough") });
      await expect(stopping, way).rejects.toBe("enough");
    }
    const { items } = await carillon.get("/v1/media");
    expect(items.map(({ filename }) => filename)).not.toContain("stopped.jpg");
  });

  test("have a name with the ending of their type if they have none of their own", async () => {
    const bytes = await jpeg(700, 710);
    const file = new Blob([new Uint8Array(bytes)], { type: "image/jpeg" });
    expect(await isStored(await carillon.upload(file), bytes)).toBe("file.jpeg");
    expect(await isStored(await carillon.uploadToStore(file), bytes)).toBe("file.jpeg");
  });

  test("of nothing and of something that is no file say so", async () => {
    const empty = new Blob([], { type: "image/jpeg" });
    expect(await failure(carillon.upload(empty))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/empty/i),
    });
    expect((await failure(carillon.uploadToStore(empty))).message).toMatch(/sizeBytes/);
    seen = [];
    for (const [wrong, isBytes] of [
      ["bells.jpg", false],
      [empty.stream(), false],
      [undefined, false],
      [new Uint8Array(1), true],
    ] as unknown as [Blob, boolean][]) {
      if (!isBytes)
        await expect(carillon.upload(wrong)).rejects.toThrow(
          "file must be a Blob or bytes. In Node, fs.openAsBlob(path)",
        );
      await expect(carillon.uploadToStore(wrong, { contentType: "image/jpeg" })).rejects.toThrow(
        "file must be a Blob. In Node,",
      );
    }
    expect(seen).toEqual([]);
  });

  test("from an address, and says why it could not be fetched", async () => {
    const bytes = await jpeg(900, 900);
    const { seenProgress, onProgress } = recorder();
    const url = source.serve("bells.jpg", (_, response) => response.writeHead(200).end(bytes));
    expect(await isStored(await carillon.uploadFromUrl(url, { onProgress }), bytes)).toBe("bells.jpg");
    expect(seenProgress.length).toBeGreaterThan(0);
    const gone = source.serve("gone.jpg", (_, response) => response.writeHead(404).end());
    const error = await failure(carillon.uploadFromUrl(gone));
    expect(error.message).toMatch(new RegExp(`^${gone} was not imported: .*404`));
  });
});

describe("waiting for a post", () => {
  test("returns it when it is published, and shows each state on the way", async () => {
    const states: string[] = [];
    const post = await carillon.post("/v1/posts", { body: bodyOf("wait for me", new Date()) });
    const done = await carillon.waitFor(post, { onChange: ({ overallStatus }) => states.push(overallStatus) });
    expect(done.publications.map(({ status }) => status)).toEqual(["PUBLISHED"]);
    expect(states.at(-1)).toBe("COMPLETED");
    expect((await postsOn("x", person)).map(({ text }) => text)).toContain("wait for me");
  });

  test("returns a failure too", async () => {
    await fault({ network: "x", operation: "publish", fault: "duplicate", account: person, times: 1 });
    const post = await carillon.post("/v1/posts", { body: bodyOf("wait for nothing", new Date()) });
    expect((await carillon.waitFor(post)).publications[0]).toMatchObject({ status: "FAILED" });
  });

  test("ends with its time, with its signal, and for a draft", async () => {
    const later = await carillon.post("/v1/posts", { body: bodyOf("much later") });
    await expect(carillon.waitFor(later, { timeoutMs: 300 })).rejects.toThrow(
      `Post ${later.id} is still SCHEDULED after 300 ms. Wait longer with timeoutMs`,
    );
    const abort = new AbortController();
    const waiting = carillon.waitFor(later, { signal: abort.signal, onChange: () => abort.abort("enough") });
    await expect(waiting).rejects.toBe("enough");
    seen = [];
    await expect(carillon.waitFor(later, { signal: abort.signal })).rejects.toBe("enough");
    expect(seen).toEqual([]);
    const draft = await carillon.post("/v1/posts", { body: { ...bodyOf("draft"), isDraft: true } });
    await expect(carillon.waitFor(draft)).rejects.toThrow(`Post ${draft.id} is a draft`);
  });

  test("ends when the post is deleted", async () => {
    const post = await carillon.post("/v1/posts", { body: bodyOf("deleted while waiting") });
    const deleting = carillon.waitFor(post, {
      onChange: () => void carillon.delete("/v1/posts/{id}", { path: { id: post.id } }),
      timeoutMs: 1_000,
    });
    expect(await failure(deleting)).toMatchObject({ status: 404, message: expect.stringContaining("not found") });
  });
});

describe("a partner", () => {
  test("shares one token, renews it when it is refused, and names its user", async () => {
    const { clientId, clientSecret } = await newPartner();
    const partner = new CarillonPartner({ baseUrl, clientId, clientSecret });
    const externalUserId = "Zoë № 7";
    const { uuid } = await partner.post("/v1/connect/users", { body: { externalUserId, name: "Zoë" } });
    const [byName, byId] = await Promise.all([
      partner.for({ externalUserId }).get("/v1/me"),
      partner.for({ uuid }).get("/v1/me"),
    ]);
    expect(byName.id).toBe(byId.id);
    const link = { platform: "THREADS", redirectUri: "https://acme.example/connected" } as const;
    expect(await partner.for({ uuid }).post("/v1/connect/authorize-url", { body: link })).toContain("/oauth/connect?");
    const asked = () => seen.filter(({ url }) => url === "/oauth/token").length;
    expect(asked()).toBe(1);
    steps = [says("Unauthorized", 401)];
    await partner.for({ uuid }).get("/v1/me");
    expect(asked()).toBe(2);
  });

  test("asks for one token for many calls at once, at the start and after a refusal", async () => {
    const { clientId, clientSecret } = await newPartner();
    const partner = new CarillonPartner({ baseUrl, clientId, clientSecret });
    const three = () => Promise.all([1, 2, 3].map(() => partner.get("/v1/connect/users")));
    const asked = () => seen.filter(({ url }) => url === "/oauth/token").length;
    await three();
    expect(asked()).toBe(1);
    steps = refusesTogether(3);
    await three();
    expect(asked()).toBe(2);
  });

  test("renews its token before it ends", async () => {
    const { clientId, clientSecret } = await newPartner();
    const partner = new CarillonPartner({ baseUrl, clientId, clientSecret });
    const short = { access_token: "short", expires_in: 60 };
    steps = [
      (response) => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(short)),
    ];
    steps.push(says("not counted", 404));
    await failure(partner.get("/v1/connect/users"));
    await partner.get("/v1/connect/users");
    expect(seen.map(({ url }) => url)).toEqual([
      "/oauth/token",
      "/v1/connect/users",
      "/oauth/token",
      "/v1/connect/users",
    ]);
  });

  test("stops waiting for its token when the signal is aborted, and other calls go on", async () => {
    const { clientId, clientSecret } = await newPartner();
    const partner = new CarillonPartner({ baseUrl, clientId, clientSecret });
    const abort = new AbortController();
    let answer = () => {};
    steps = [
      (response) => {
        answer = () => says("try again", 503)(response);
        abort.abort("enough");
      },
    ];
    const [stopped, other] = [
      partner.get("/v1/connect/users", { signal: abort.signal }),
      partner.get("/v1/connect/users"),
    ];
    await expect(stopped).rejects.toBe("enough");
    answer();
    expect((await other).items).toEqual([]);
  });

  test("is told when its secret is wrong", async () => {
    const { clientId } = await newPartner();
    const partner = new CarillonPartner({ baseUrl, clientId, clientSecret: "wrong" });
    expect((await failure(partner.get("/v1/connect/users"))).message).toBe(
      "POST /oauth/token was answered with 401: clientId or clientSecret is wrong. Check them, or ask the operator",
    );
    expect(seen).toHaveLength(1);
  });

  test.each([
    ["a web page", { "content-type": "text/html" }, "<html></html>", "a web page instead of JSON. Check that baseUrl"],
    ["an empty answer", {}, "", "no JSON. Check that baseUrl"],
    ["something without a token", { "content-type": "application/json" }, "{}", "no access_token. Check that baseUrl"],
  ])("is told when a wrong address answers with %s", async (_, headers, body, message) => {
    steps = [(response) => void response.writeHead(200, headers).end(body)];
    const partner = new CarillonPartner({ baseUrl, clientId: "acme", clientSecret: "secret" });
    const error = await failure(partner.get("/v1/connect/users"));
    expect(error).toBeInstanceOf(CarillonError);
    expect(error.message).toContain(`POST /oauth/token was answered with 200: ${message}`);
    expect(seen).toHaveLength(1);
  });
});

describe("errors say what to do", () => {
  test("a post that a network would reject: rules, and fixes that can be applied", async () => {
    const error = await failure(carillon.post("/v1/posts", { body: bodyOf("too long ".repeat(40)) }));
    expect(error).toBeInstanceOf(CarillonError);
    expect(error).toMatchObject({ status: 400, requestId: expect.any(String) });
    const [problem] = error.problems;
    expect(problem).toMatchObject({
      path: "publications[0].posts[0].content",
      rule: "text.length",
      limit: { max: 280 },
    });
    const fixed = error.apply(problem as Problem);
    expect((await carillon.post("/v1/posts", { body: fixed })).overallStatus).toBe("SCHEDULED");
    expect(error.body).toMatchObject({ publications: bodyOf("too long ".repeat(40)).publications });
  });

  test("a problem without a fix", async () => {
    const error = await failure(carillon.post("/v1/posts", { body: bodyOf("") }));
    const [problem] = error.problems;
    expect(() => error.apply(problem ?? { message: "" })).toThrow(/has no automatic fix/);
  });

  test("bad input of another call: its sentences", async () => {
    const error = await failure(carillon.post("/v1/webhooks", { body: { url: "nonsense", events: [] } }));
    expect(error.problems.length).toBeGreaterThan(0);
    expect(error.message).toContain(`POST /v1/webhooks was answered with 400: ${error.problems[0]?.message}`);
  });

  test("a revoked token", async () => {
    const other = await newOwner();
    const { access_token } = await createPersonalToken(other, everyScope);
    const revoked = new Carillon({ baseUrl, token: access_token });
    await revoked.get("/v1/me");
    for (const { id } of await listPersonalTokens(other)) await revokePersonalToken(other, id);
    // Processes learn of it within a second.
    const error = await vi.waitFor(() => failure(revoked.get("/v1/me")), { timeout: 5_000, interval: 100 });
    expect(error.message).toBe(
      "GET /v1/me was answered with 401: Unauthorized. The token is wrong, expired or revoked. Create another one under Developers in the dashboard, and pass it as token",
    );
  });

  test.each([
    ["the address of a page", { "content-type": "text/html" }, 404, "a web page instead of JSON. Check that baseUrl"],
    [
      "a page that answers everything",
      { "content-type": "text/html" },
      200,
      "a web page instead of JSON. Check that baseUrl",
    ],
    ["an address of nothing", { "content-type": "text/plain" }, 404, "no JSON. Check that baseUrl"],
    ["an address that greets everybody", { "content-type": "text/plain" }, 200, "no JSON. Check that baseUrl"],
    ["broken JSON", { "content-type": "application/json" }, 200, "no JSON. Check that baseUrl"],
    ["broken JSON of an error", { "content-type": "application/json" }, 404, "no JSON. Check that baseUrl"],
    [
      "an address that moved",
      { location: "https://social.example.com/v1/me" },
      301,
      "a redirect to https://social.example.com/v1/me. Use",
    ],
  ])("%s", async (_, headers, status, message) => {
    steps = [(response) => void response.writeHead(status, headers).end("<html></html>")];
    expect((await failure(carillon.get("/v1/me"))).message).toContain(
      `GET /v1/me was answered with ${status}: ${message}`,
    );
  });

  test.each([{ detail: "Not Found" }, { error: { code: 404, status: "NOT_FOUND" } }, { error: null }])(
    "another service that answers with JSON: %j",
    async (body) => {
      steps = [
        (response) => void response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(body)),
      ];
      expect((await failure(carillon.get("/v1/me"))).message).toMatch(
        /^GET \/v1\/me was answered with 404: the answer has no text\. Check that baseUrl is the address of a Carillon/,
      );
    },
  );

  test("a web page with 400, as of a server that wants https, has no problems besides its message", async () => {
    steps = [(response) => void response.writeHead(400, { "content-type": "text/html" }).end("<html></html>")];
    const error = await failure(carillon.get("/v1/me"));
    expect(error.message).toContain("400: a web page instead of JSON. Check that baseUrl");
    expect(error.problems).toEqual([]);
  });

  test("a proxy that takes no large body", async () => {
    steps = [(response) => void response.writeHead(413, { "content-type": "text/html" }).end("<html></html>")];
    expect((await failure(carillon.upload(await jpeg()))).message).toBe(
      "POST /v1/media/upload was answered with 413: a proxy in front of the server takes no body of this size. Use uploadToStore, or ask the operator",
    );
  });

  test("a proxy that limits calls", async () => {
    const few = new Carillon({ baseUrl, token, retries: 0 });
    steps = [(response) => void response.writeHead(429, { "content-type": "text/html" }).end("<html></html>")];
    expect((await failure(few.get("/v1/me"))).message).toBe(
      "GET /v1/me was answered with 429: too many requests. Wait 60 seconds, or make fewer calls at once",
    );
  });

  test("a store that refuses the file", async () => {
    const refusal = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
    const store = createServer((_, response) =>
      response.writeHead(403, { "content-type": "application/xml" }).end(refusal),
    );
    await once(store.listen(0, "localhost"), "listening");
    const url = `http://localhost:${(store.address() as AddressInfo).port}/bells.jpg`;
    const grant = JSON.stringify({ url, headers: {}, key: "k" });
    steps = [(response) => void response.writeHead(201, { "content-type": "application/json" }).end(grant)];
    const error = await failure(carillon.uploadToStore(new Blob(["bells"], { type: "image/jpeg" })));
    store.close();
    expect(error.message).toBe(`PUT ${new URL(url).origin} was answered with 403: Request has expired. Try again`);
    expect(error.status).toBe(403);
  });

  test("a server that is not there", async () => {
    const lost = new Carillon({ baseUrl: "http://localhost:9", token, retries: 0 });
    expect((await failure(lost.get("/v1/me"))).message).toMatch(
      /^http:\/\/localhost:9 cannot be reached \(.+\)\. Check baseUrl, and that the server is running$/,
    );
  });

  test.each([
    ["", "baseUrl is missing. It must be like https://social.example.com, without /v1"],
    ["social.example.com", "baseUrl is social.example.com. It must be like https://social.example.com, without /v1"],
    [
      "https://a.example/v1/",
      "baseUrl is https://a.example/v1/. It must be like https://social.example.com, without /v1",
    ],
    ["https://a.example/?x=1", "baseUrl is https://a.example/?x=1. It must be like"],
    ["https://a. example", "baseUrl is https://a. example. It must be like"],
    [undefined as unknown as string, "baseUrl is missing. It must be like"],
  ])("the address %j", (address, message) => {
    expect(() => new Carillon({ baseUrl: address, token })).toThrow(message);
  });

  test("an address whose host has a letter such as ü is taken however often it was given before", () => {
    const clients = () =>
      Array.from({ length: 20_000 }, () => new Carillon({ baseUrl: "https://bücher.example", token }));
    expect(clients).not.toThrow();
  });

  test("a list of something that is not Carillon", async () => {
    const other = new Carillon({ baseUrl, token, fetch: async () => Response.json({}) });
    expect((await failure(other.list("/v1/posts").next())).message).toMatch(
      /^GET \/v1\/posts was answered with 200: no items\. Check that baseUrl is the address of a Carillon server/,
    );
  });

  test.each(["/", "//", " ", "\n"])("%j at the end of an address does no harm", async (end) => {
    expect((await new Carillon({ baseUrl: baseUrl + end, token, retries: 0 }).get("/v1/me")).name).toBe("Test");
  });

  test.each(["…", "two\nlines", "ключ"])("a token that cannot be one: %j", async (wrong) => {
    const error = await failure(new Carillon({ baseUrl, token: wrong }).get("/v1/me"));
    expect(error.message).toBe(
      "token has characters that no token has, such as spaces or line breaks. Copy the whole token again",
    );
    expect(seen).toEqual([]);
  });

  test.each([
    ["Idempotency-Key", () => carillon.post("/v1/posts", { body: bodyOf("x"), idempotencyKey: "order №7" })],
    ["If-Match", () => carillon.get("/v1/me", { headers: { "If-Match": "a\nb" } })],
  ])("a value that the header %s cannot carry is reported before a request is sent", async (name, call) => {
    expect((await failure(call())).message).toBe(
      `The header ${name} cannot carry its value. Use letters without accents, digits and punctuation, on one line`,
    );
    expect(seen).toEqual([]);
  });

  test("a line break at the end of a token, as in a file, does no harm", async () => {
    expect((await new Carillon({ baseUrl, token: `${token}\n` }).get("/v1/me")).name).toBe("Test");
  });

  test("a missing token, path parameter or secret is reported before a request is sent", async () => {
    expect(() => new Carillon({ baseUrl, token: "" })).toThrow("token is missing. Create one under Developers");
    await expect(carillon.get("/v1/posts/{id}", { path: { id: "" } })).rejects.toThrow("path.id is missing");
    expect(() => new CarillonPartner({ baseUrl, clientId: "", clientSecret: "" })).toThrow("clientId or clientSecret");
    expect(seen).toEqual([]);
  });
});

describe("webhooks", () => {
  withDeliveries();
  const receiver = withReceivers(14);
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const body = JSON.stringify({ type: "post.completed", timestamp: "2031-05-01T12:00:00Z", data: { id: 7 } });
  const now = () => Math.floor(Date.now() / 1_000);
  const signed = (seconds = now(), secrets = [secret]) => signedHeaders({ id: "msg_1", seconds, body }, secrets);

  test("a delivery of the product is verified", async () => {
    const { url, received } = receiver();
    const webhook = await carillon.post("/v1/webhooks", { body: { url, events: ["post.scheduled"] } });
    const { id } = await carillon.post("/v1/posts", { body: bodyOf("told") });
    const [request] = await received(1);
    const event = await verifyWebhook({
      body: request?.body ?? "",
      headers: request?.headers ?? {},
      secret: webhook.secret,
    });
    expect(event).toMatchObject({ type: "post.scheduled", data: { id } });
  });

  test("also as bytes, with the headers of fetch, and while two secrets sign", async () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const headers = new Headers(signed(now(), [other, secret]));
    expect(await verifyWebhook({ body: new TextEncoder().encode(body), headers, secret })).toEqual(JSON.parse(body));
  });

  test("with the headers of another library", async () => {
    const all: { [name: string]: string } = signed();
    const headers = { get: (name: string) => all[name] ?? null };
    expect(await verifyWebhook({ body, headers, secret })).toEqual(JSON.parse(body));
  });

  test("with headers whose names have capital letters, as some gateways pass them on", async () => {
    const all = Object.entries(signed()).map(([name, value]) => [name.replace("webhook", "Webhook"), value]);
    expect(await verifyWebhook({ body, headers: Object.fromEntries(all), secret })).toEqual(JSON.parse(body));
  });

  test.each<[string, () => Partial<Parameters<typeof verifyWebhook>[0]>, RegExp]>([
    ["another body", () => ({ body: `${body} ` }), /^The signature is wrong\. Check the secret/],
    [
      "a body that was parsed",
      () => ({ body: JSON.parse(body) }),
      /^body must be the text or the bytes of the request\. Pass it as it arrived, before any parsing/,
    ],
    ["another secret", () => ({ secret: "whsec_AAAA" }), /^The signature is wrong/],
    ["no secret", () => ({ secret: undefined as unknown as string }), /^This is not the secret of a webhook/],
    ["something that is not a secret", () => ({ secret: "nonsense!" }), /^This is not the secret of a webhook/],
    ["an empty secret", () => ({ secret: "whsec_" }), /^This is not the secret of a webhook/],
    ["another ID", () => ({ headers: { ...signed(), "webhook-id": "msg_2" } }), /^The signature is wrong/],
    [
      "text instead of a signature",
      () => ({ headers: { ...signed(), "webhook-signature": "v1,! v2,x" } }),
      /^The signature is wrong/,
    ],
    [
      "no signature",
      () => ({ headers: { ...signed(), "webhook-signature": undefined } }),
      /webhook-signature is missing/,
    ],
    ["an old message", () => ({ headers: signed(now() - 301) }), /from another time \(30\d seconds away\)/],
    ["a message of the future", () => ({ headers: signed(now() + 310) }), /from another time/],
    ["text instead of a time", () => ({ headers: { ...signed(), "webhook-timestamp": "soon" } }), /from another time/],
  ])("refuses %s", async (_, change, message) => {
    const error = await failure(verifyWebhook({ body, headers: signed(), secret, ...change() }));
    expect(error).toMatchObject({ name: "CarillonError", status: 400, message: expect.stringMatching(message) });
  });
});

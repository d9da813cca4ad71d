import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { PlatformError } from "../errors";
import type { NetworkCall } from "../network";
import { telegram } from "../telegram";
import { x } from "../x";
import { makeApp, makeSession } from "./fetch";
import { Base64File, jsonBody, multipart } from "./request-body";

type AnyServer = Server | ReturnType<typeof createTcpServer>;
const servers: AnyServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: AnyServer): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sessionAt(apiUrl: string) {
  const app = makeApp(x, { mode: "sandbox", clientId: "id", clientSecret: "very-secret", apiUrl });
  return makeSession(x, app, { accountId: "1", username: "alice", tokens: { accessToken: "token-of-alice" } });
}

async function answeredBy(handler: RequestListener, call?: NetworkCall) {
  return outcome(await listen(createServer(handler)), call);
}

async function outcome(apiUrl: string, call?: NetworkCall) {
  return sessionAt(apiUrl)
    .fetch("/path", call)
    .catch((error: unknown) => error);
}

/** A server in its own thread that answers 403 to the first bytes of a request and closes the connection. */
async function earlyAnswers() {
  const closed = new Int32Array(new SharedArrayBuffer(4));
  const code = `
    const { workerData: closed, parentPort } = require("node:worker_threads");
    const body = '{"title":"too early"}';
    const head = "HTTP/1.1 403 Forbidden\\r\\ncontent-type: application/json\\r\\nconnection: close\\r\\ncontent-length: " + body.length;
    const server = require("node:net").createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.pause();
        socket.end(head + "\\r\\n\\r\\n" + body, () => socket.destroy());
      });
      socket.on("close", () => {
        Atomics.store(closed, 0, 1);
        Atomics.notify(closed, 0);
      });
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true, workerData: closed });
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    reopen: () => Atomics.store(closed, 0, 0),
    waitUntilClosed: () => Atomics.wait(closed, 0, 0, 5_000),
    close: () => worker.terminate(),
  };
}

describe("outcome of a call", () => {
  test("no server: not sent", async () => {
    const url = await listen(createServer());
    servers.splice(0)[0]?.close();
    expect(await outcome(url)).toMatchObject({ kind: "later", refused: true, message: "X cannot be reached" });
  });

  test("unknown host: not sent", async () => {
    expect(await outcome("http://nowhere.invalid")).toMatchObject({ kind: "later", refused: true });
  });

  test("TLS failure: not sent", async () => {
    const url = await listen(createServer());
    expect(await outcome(url.replace("http:", "https:"))).toMatchObject({ kind: "later", refused: true });
  });

  test("connection closed before an answer: unknown", async () => {
    const error = await answeredBy((request) => request.socket.destroy());
    expect(error).toMatchObject({ kind: "unknown", refused: false, message: "X did not answer" });
  });

  test("connection closed within the body: unknown, whatever the status", async () => {
    const error = await answeredBy((_, response) => {
      response.writeHead(400, { "content-length": "100" }).write('{"detail"');
      setTimeout(() => response.destroy(), 20);
    });
    expect(error).toMatchObject({ kind: "unknown", refused: false });
  });

  test("more than 16 MB: unknown", async () => {
    const longest = 16 * 1_048_576;
    const answering = (bytes: number) => answeredBy((_, response) => response.end(Buffer.alloc(bytes)));
    const read = (await answering(longest)) as Response;
    expect((await read.arrayBuffer()).byteLength).toBe(longest);
    expect(await answering(longest + 1)).toMatchObject({ kind: "unknown", refused: false });
  });

  test("timeout: unknown", async () => {
    const slow: RequestListener = (_, response) => void response.writeHead(200).write("{");
    expect(await answeredBy(slow, { timeoutSeconds: 0.1 })).toMatchObject({
      kind: "unknown",
      answer: { status: 0, code: "TimeoutError" },
    });
  });

  test.each([
    ["that cannot be opened", async () => Promise.reject(new Error("gone"))],
    [
      "that fails while being read",
      async () => {
        let reads = 0;
        return new ReadableStream<Uint8Array>({
          pull: (controller) =>
            reads++ === 0 ? controller.enqueue(new Uint8Array(10)) : controller.error(new Error("gone")),
        });
      },
    ],
  ])("our own file %s: nothing was sent", async (_, open) => {
    let handled = 0;
    const form = multipart({ media: { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: 100_000, open } });
    const error = await answeredBy(
      (request, response) => {
        request.on("error", () => undefined);
        request.resume().on("end", () => {
          handled++;
          response.end("{}");
        });
      },
      { method: "POST", ...form },
    );
    expect(error).toMatchObject({ kind: "later", refused: true, message: "The file a.jpg could not be read" });
    expect(handled).toBe(0);
  });

  test("redirect: not followed, unknown", async () => {
    const error = await answeredBy((_, response) => response.writeHead(302, { location: "/elsewhere" }).end());
    expect(error).toMatchObject({ kind: "unknown", answer: { status: 302 } });
  });

  test.each([
    [502, "<html>Bad gateway</html>", "unknown", false],
    [500, "", "unknown", false],
    [401, "", "reconnect", true],
    [400, "<html>", "rejected", true],
    [429, "", "later", true],
  ])("status %i with %j: %s", async (status, body, kind, refused) => {
    expect(await answeredBy((_, response) => response.writeHead(status).end(body))).toMatchObject({ kind, refused });
  });

  test.each([200, 422])("of status %i states the network's time", async (status) => {
    const date = "Mon, 02 Mar 2026 08:30:00 GMT";
    const session = sessionAt(await listen(createServer((_, res) => res.writeHead(status, { date }).end("{}"))));
    expect(session.statedTime()).toBeUndefined();
    await session.fetch("/path").catch(() => undefined);
    expect(session.statedTime()).toEqual(new Date(date));
  });

  test("keeps Retry-After", async () => {
    const error = await answeredBy((_, response) => response.writeHead(503, { "retry-after": "120" }).end());
    expect(error).toMatchObject({ retryAfterSeconds: 120 });
  });

  test("returns an error status that the caller accepts", async () => {
    const response = await answeredBy((_, answer) => answer.writeHead(308).end(), { accept: [308] });
    expect(response).toMatchObject({ status: 308 });
  });
});

describe("compressed answers", () => {
  const answerWith = (encoding: string, body: Uint8Array, status = 201): RequestListener => {
    return (_, response) => response.writeHead(status, { "content-encoding": encoding }).end(body);
  };

  test.each([
    { encoding: "gzip", compress: gzipSync },
    { encoding: "x-gzip", compress: gzipSync },
    { encoding: "GZIP", compress: gzipSync },
    { encoding: "deflate", compress: deflateSync },
    { encoding: "deflate", compress: deflateRawSync },
    { encoding: "br", compress: brotliCompressSync },
    { encoding: "deflate, gzip", compress: (text: string) => gzipSync(deflateSync(text)) },
    { encoding: "identity", compress: (text: string) => Buffer.from(text) },
  ])("of a 2xx are read: $encoding", async ({ encoding, compress }) => {
    const response = (await answeredBy(answerWith(encoding, compress('{"data":{"id":"1"}}')))) as Response;
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ data: { id: "1" } });
  });

  test("of an error are read, and secrets are removed from them", async () => {
    const body = gzipSync(JSON.stringify({ detail: "too long for token-of-alice" }));
    const error = await answeredBy(answerWith("gzip", body, 400));
    expect(error).toMatchObject({ kind: "rejected", message: "X refused: too long for …" });
  });

  test("without a body are read", async () => {
    expect(await answeredBy(answerWith("gzip", new Uint8Array(), 200))).toMatchObject({ status: 200 });
    expect(await answeredBy(answerWith("gzip", new Uint8Array(), 204))).toMatchObject({ status: 204 });
  });

  test.each([
    { when: "cut off", body: gzipSync('{"data":{"id":"1"}}').subarray(0, 20) },
    { when: "longer than any answer when decoded", body: gzipSync(Buffer.alloc(17 * 1_048_576)) },
  ])("that are $when: unknown", async ({ body }) => {
    expect(await answeredBy(answerWith("gzip", body))).toMatchObject({ kind: "unknown", refused: false });
  });

  test("in an encoding that we cannot decode keep their status", async () => {
    const body = Buffer.from("28b52ffd", "hex");
    expect(await answeredBy(answerWith("zstd", body, 400))).toMatchObject({ kind: "rejected" });
    expect(await answeredBy(answerWith("zstd", body, 201))).toMatchObject({ status: 201 });
  });
});

describe("secrets", () => {
  test("are removed from errors even if the network repeats them", async () => {
    const error = await answeredBy((request, response) => {
      response.writeHead(400).end(JSON.stringify({ detail: `bad ${request.headers.authorization} very-secret` }));
    });
    expect(error).toBeInstanceOf(PlatformError);
    expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/token-of-alice|very-secret/);
  });

  test.each([
    { when: "HTTP Basic", headers: { authorization: "Basic aWQ6dmVyeS1zZWNyZXQ/+=" } },
    { when: "a form", body: "grant_type=x&code=a%2Fcode%3D%3D&code_verifier=the-verifier" },
    {
      when: "a form in parts",
      body: new URLSearchParams({ refresh_token: "spent/refresh+token", client_secret: "other-one" }),
    },
    { when: "a query", path: "/path?client_secret=another%20secret&access_token=in-the-query" },
  ])("in the call itself are removed: $when", async ({ headers = {}, body, path = "/path" }) => {
    const form = { "content-type": "application/x-www-form-urlencoded", ...headers };
    const url = await listen(
      createServer(async (request, response) => {
        const sent = (await request.toArray()).join("");
        const plain = [...new URLSearchParams(sent).values()].join(" ");
        const held = `${request.headers.authorization} ${request.url} ${sent} ${decodeURIComponent(request.url ?? "")} ${plain}`;
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ detail: held }).replaceAll("/", "\\/"));
      }),
    );
    const call: NetworkCall = { method: "POST", headers: form, body, auth: "none" };
    const error = await sessionAt(url)
      .fetch(path, call)
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ message: expect.stringMatching(/^X refused: .*…/) });
    const said = JSON.stringify(error) + String(error);
    expect(said).not.toMatch(/aWQ6|a\/code|a%2Fcode|the-verifier|spent|other-one|another|in-the-query/);
  });

  test("in the path are removed if the host cannot be reached", async () => {
    const app = makeApp(telegram, {
      mode: "sandbox",
      clientId: "1",
      clientSecret: "1:secret-token",
      apiUrl: "http://a.invalid",
    });
    const error = await app.fetch("/bot1:secret-token/getMe").catch((thrown: unknown) => thrown);
    const { stack, cause } = error as Error; // the error of the call
    expect(`${stack} ${cause} ${JSON.stringify(error)}`).not.toContain("secret-token");
  });
});

describe("requests", () => {
  const echo: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(JSON.stringify({ headers: request.headers, body: Buffer.concat(chunks).toString() }));
  };
  const echoed = async (call?: NetworkCall) => await ((await answeredBy(echo, call)) as Response).json();

  test("use the account's token, another one, or none", async () => {
    expect((await echoed()).headers.authorization).toBe("Bearer token-of-alice");
    expect((await echoed({ auth: { bearer: "page" } })).headers.authorization).toBe("Bearer page");
    expect((await echoed({ auth: "none" })).headers.authorization).toBeUndefined();
  });

  test("ask for answers that are not compressed", async () => {
    expect((await echoed()).headers["accept-encoding"]).toBe("identity");
  });

  test("a form streams its files and states its length", async () => {
    const bytes = new TextEncoder().encode("file bytes");
    const file = { filename: 'a"b.jpg', contentType: "image/jpeg", sizeBytes: bytes.length };
    const form = multipart({
      note: "é",
      left: undefined,
      media: { ...file, open: async () => new Blob([bytes]).stream() },
    });
    const { headers, body } = await echoed({ method: "POST", ...form });
    expect(headers["transfer-encoding"]).toBeUndefined();
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    const parsed = await new Response(body, { headers: { "content-type": headers["content-type"] } }).formData();
    expect([...parsed.keys(), parsed.get("note"), await (parsed.get("media") as File).text()]).toEqual([
      "note",
      "media",
      "é",
      "file bytes",
    ]);
  });

  test("keep an answer that arrives before the body has been sent, if the server then closes the connection", async () => {
    const server = await earlyAnswers();
    const chunk = new Uint8Array(1_048_576);
    const file = { filename: "a", contentType: "video/mp4", sizeBytes: 60 * chunk.length };
    /** Gives the rest of the file only after the server has closed the connection, before the answer could be read. */
    const open = async () => {
      server.reopen();
      let given = 0;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          given += 1;
          if (given > 4) server.waitUntilClosed();
          controller.enqueue(chunk);
        },
      });
    };
    const bodies = [
      () => multipart({ file: { ...file, open } }),
      () => jsonBody({ file: new Base64File({ ...file, open }) }),
    ];
    for (const body of bodies) {
      for (let n = 0; n < 5; n++) {
        const error = await outcome(server.url, { method: "POST", ...body() });
        expect(error).toMatchObject({ answer: { status: 403 } });
      }
    }
    await server.close();
  });

  test("are unknown if the connection is reset within the body without an answer", async () => {
    const url = await listen(createTcpServer((socket) => socket.once("data", () => socket.resetAndDestroy())));
    const error = await outcome(url, { method: "POST", body: new Uint8Array(30_000_000) });
    expect(error).toMatchObject({ kind: "unknown", answer: { status: 0 } });
  });

  test("use a separate connection each", async () => {
    const ports = new Set<number | undefined>();
    const url = await listen(
      createServer((request, response) => {
        ports.add(request.socket.remotePort);
        response.end("{}");
      }),
    );
    for (let n = 0; n < 3; n++) await outcome(url);
    expect(ports.size).toBe(3);
  });
});

describe("hosts", () => {
  const real = { mode: "real", clientId: "id", clientSecret: "secret" } as const;
  test("default to the network's own", () => {
    const app = makeApp(x, real);
    expect([app.url("/2/tweets"), app.url("/a", "web")]).toEqual(["https://api.x.com/2/tweets", "https://x.com/a"]);
  });

  test("are all replaced by a configured address", () => {
    const app = makeApp(x, { ...real, apiUrl: "http://localhost:3010/x" });
    expect([app.url("/a"), app.url("/b", "web")]).toEqual(["http://localhost:3010/x/a", "http://localhost:3010/x/b"]);
  });

  test("keep their web pages if only the API is self-hosted", () => {
    const app = makeApp(telegram, { ...real, apiUrl: "http://bot-api:8081" });
    expect([app.url("/a"), app.url("/b", "web")]).toEqual(["http://bot-api:8081/a", "https://t.me/b"]);
  });
});

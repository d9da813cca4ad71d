import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { serveFiles } from "./http/testing/file-server";
import {
  as,
  connectAccount,
  newOwner,
  newWebhookReceiver,
  settled,
  withDeliveries,
  withReceivers,
  withWorker,
} from "./testing";
import { startTracing, traceparentOf } from "./tracing";

withWorker();
withDeliveries();
const receiver = withReceivers(2);

const exported = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(z.object({ traceId: z.string(), parentSpanId: z.string().optional(), name: z.string() })),
        }),
      ),
    }),
  ),
});

/** A collector of OpenTelemetry data (OTLP over HTTP). */
async function startCollector() {
  const { url, asked, close } = await serveFiles((request, response) => {
    request.on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  const spans = () =>
    asked
      .filter(({ path }) => path === "/v1/traces")
      .flatMap(({ body }) => exported.parse(JSON.parse(body)).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return { url, close, spans };
}

test("a request, the call of the network and the webhook belong to the caller's trace", async () => {
  const collector = await startCollector();
  const stop = await startTracing(collector.url);
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  try {
    const owner = await newOwner();
    const client = as(owner);
    const { id: socialMediaAccountId } = await connectAccount(owner, "X_TWITTER");
    const hook = receiver();
    await newWebhookReceiver(client, hook.url, ["publication.published", "post.completed"]);
    const publications = [
      { socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "traced" }] },
    ];
    const body = { scheduledTime: new Date().toISOString(), publications };
    const answer = await client.post("/v1/posts", body, { traceparent: `00-${traceId}-${spanId}-01` });
    const { id } = z.object({ id: z.number() }).parse(await answer.json());
    await settled(client, id);
    const received = await hook.received(2);
    expect(received.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined]);
    // Only this trace: the process may deliver webhooks of other tests at the same time.
    const own = () => collector.spans().filter((span) => span.traceId === traceId);
    const delivered = () => own().filter(({ name }) => name === "deliver webhook").length;
    await vi.waitFor(() => expect(delivered()).toBe(2), 20_000);
  } finally {
    await stop();
    await collector.close();
  }
  const own = collector.spans().filter((span) => span.traceId === traceId);
  expect(own.map(({ name }) => name).sort()).toEqual([
    "POST /v1/posts",
    "call X",
    "deliver webhook",
    "deliver webhook",
    "publish",
  ]);
  expect(own.find(({ name }) => name === "POST /v1/posts")?.parentSpanId).toBe(spanId);
});

test("log lines of work in a trace name it, also if no spans are exported", async () => {
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const script = `import { log, logRequest } from "./lib/log"; import { traced } from "./lib/tracing";
    const line = { requestId: "1", method: "GET", path: "/", status: 200, ms: 1 };
    await traced("work", { kind: "server", parent: "${traceparent}" }, async () => { log.info("inside"); logRequest(line); });
    log.info("outside");`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    env: { ...process.env, LOG_LEVEL: "info" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = (await text(child.stderr)).split("\n").filter((line) => line.startsWith("{"));
  expect(lines.map((line) => JSON.parse(line).traceparent)).toEqual([traceparent, traceparent, undefined]);
});

test.each([
  { what: "no header", header: null },
  { what: "zeros", header: `00-${"0".repeat(32)}-${"b".repeat(16)}-01` },
  { what: "another version", header: `01-${"a".repeat(32)}-${"b".repeat(16)}-01` },
  { what: "capital letters", header: `00-${"A".repeat(32)}-${"b".repeat(16)}-01` },
  { what: "a line of its own", header: `00-${"a".repeat(32)}-${"b".repeat(16)}-01\nx` },
])("$what is not a valid traceparent", ({ header }) => {
  expect(traceparentOf(header)).toBeUndefined();
});

import { AsyncLocalStorage } from "node:async_hooks";
import { hostname } from "node:os";
import type { Attributes, SpanContext } from "@opentelemetry/api";
import { perProcess } from "./db/per-process";
import { env } from "./env";
import { version } from "./version";

// Traces follow one request from the API to the calls of the networks and to the webhooks about it, which other processes send
// days later. The trace's position travels as a `traceparent` (W3C Trace Context), which is stored with the schedule and is on
// every log line of the work. Spans are exported only if OTEL_EXPORTER_OTLP_ENDPOINT is set.

type Kind = "server" | "client" | "consumer";
type SpanOptions = { kind: Kind; parent: string | undefined; attributes: Attributes };
/** Adds facts that become known during the work, and may give the span its final name. */
type Note = (attributes: Attributes, name?: string) => void;
type OpenSpan = { traceparent: string; note: Note; end(error?: unknown): void };

/** Shared by the bundles of the web process. */
const state = perProcess("tracing", () => ({
  current: new AsyncLocalStorage<string | undefined>(),
  begin: undefined as ((name: string, options: SpanOptions) => OpenSpan) | undefined,
}));

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns a caller's `traceparent` header if it is valid (W3C Trace Context, section 3.2, version 00). */
export function traceparentOf(header: string | null): string | undefined {
  return header !== null && TRACEPARENT.test(header) ? header : undefined;
}

/** The position in the trace of the current work, as a `traceparent`. Undefined if the work belongs to no trace. */
export function currentTraceparent(): string | undefined {
  return state.current.getStore();
}

const nothing: Note = () => {};

/**
 * Runs work as a part of a trace.
 * @param name few different values: no IDs and no addresses
 * @param parent the `traceparent` that the work continues. Default: that of the current work. Without one, a new trace begins if
 * traces are exported
 */
export function traced<T>(
  name: string,
  { kind, parent = currentTraceparent(), attributes = {} }: Partial<SpanOptions> & { kind: Kind },
  work: (note: Note) => Promise<T>,
): Promise<T> {
  if (state.begin) return inSpan(state.begin(name, { kind, parent, attributes }), work);
  const isCurrent = parent === currentTraceparent();
  return isCurrent ? work(nothing) : state.current.run(parent, () => work(nothing));
}

async function inSpan<T>(span: OpenSpan, work: (note: Note) => Promise<T>): Promise<T> {
  try {
    const result = await state.current.run(span.traceparent, () => work(span.note));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/**
 * Starts to export spans to `OTEL_EXPORTER_OTLP_ENDPOINT` (OTLP over HTTP), if it is set. Call it once, when the process starts.
 * The exporter reads the other `OTEL_` variables itself, such as `OTEL_EXPORTER_OTLP_HEADERS`.
 * @param endpoint the base URL of the collector, without `/v1/traces`
 * @returns a function that sends the spans that are left and stops the export
 */
export async function startTracing(endpoint = env.otlpEndpoint): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {};
  // Loaded only here, because most installations export nothing and the libraries take memory.
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "carillon",
      "service.version": version(),
      "service.instance.id": `${hostname()}:${process.pid}`,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("carillon");
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
  state.begin = (name, { kind, parent, attributes }) => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT;
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
      note(facts, finalName) {
        span.setAttributes(facts);
        if (finalName !== undefined) span.updateName(finalName);
      },
      end(error) {
        // The name only: a message can quote what a caller or a network sent.
        if (error instanceof Error) span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
        span.end();
      },
    };
  };
  return async () => {
    state.begin = undefined;
    await provider.shutdown();
  };
}

function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = "", spanId = "", flags = "00"] = TRACEPARENT.exec(traceparent) ?? [];
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

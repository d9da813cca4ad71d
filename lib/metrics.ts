import { Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from "prom-client";
import { perProcess } from "./db/per-process";
import { type NetworkName, type Platform, platforms } from "./platforms";

// Everything that `/metrics` exports (lib/http/metrics.ts answers the request). The values of labels come from short, fixed lists:
// no user, no address and no path as a client sent it. docs/operate.md lists the metrics, and deploy/ has alerts and a dashboard.

/** Shared by the bundles of the web process: some requests are answered in Next's bundle. */
const shared = perProcess("metrics", () => {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    outcomes: new Counter({
      name: "carillon_post_outcomes_total",
      help: "Posts whose outcome this process recorded.",
      labelNames: ["network", "outcome"],
      registers,
    }),
    lateness: new Histogram({
      name: "carillon_publication_lateness_seconds",
      help: "Time from the scheduled time of a publication to the start of its first attempt.",
      labelNames: ["network"],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 86_400],
      registers,
    }),
    deliveryAttempts: new Counter({
      name: "carillon_webhook_attempts_total",
      help: "Attempts of webhook deliveries by this process. retrying: it failed and will be tried again.",
      labelNames: ["outcome"],
      registers,
    }),
    requests: new Counter({
      name: "carillon_http_requests_total",
      help: "Answered requests, by the template of their route.",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    durations: new Histogram({
      name: "carillon_http_request_duration_seconds",
      help: "Time from the arrival of a request to its answer, by the template of its route.",
      labelNames: ["route"],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 5, 30],
      registers,
    }),
  };
});

export const { registry } = shared;

// A counter that first appears with 1 has not increased for Prometheus, and no alert would fire.
for (const network of Object.values(platforms))
  for (const outcome of ["published", "failed", "unknown"]) shared.outcomes.inc({ network, outcome }, 0);
for (const outcome of ["delivered", "retrying", "failed"]) shared.deliveryAttempts.inc({ outcome }, 0);

/** Counts the outcome of a post. */
export function countOutcome(platform: Platform, outcome: "PUBLISHED" | "FAILED" | "UNKNOWN"): void {
  shared.outcomes.inc({ network: platforms[platform], outcome: outcome.toLowerCase() });
}

/** Records how late the first attempt of a publication starts. */
export function recordLateness(platform: Platform, seconds: number): void {
  shared.lateness.observe({ network: platforms[platform] }, Math.max(0, seconds));
}

/** Counts an attempt of a webhook delivery. */
export function countDeliveryAttempt(outcome: "delivered" | "retrying" | "failed"): void {
  shared.deliveryAttempts.inc({ outcome });
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Records an answered request.
 * @param route the template of the route, such as `/v1/posts/{id}`, or the name of a group of pages; not the requested path
 */
export function recordRequest(method: string, route: string, status: number, ms: number): void {
  const known = METHODS.includes(method) ? method : "other";
  shared.requests.inc({ method: known, route, status: `${Math.floor(status / 100)}xx` });
  shared.durations.observe({ route }, ms / 1000);
}

/** Defines a gauge of the process, unless another bundle of the process has defined it. */
export function defineGauge<Label extends string>(gauge: Omit<GaugeConfiguration<Label>, "registers">): void {
  if (!registry.getSingleMetric(gauge.name)) new Gauge({ ...gauge, registers: [registry] });
}

/** A value of a gauge. Without a network, the gauge has one value. */
export type Sample = { value: number; labels?: { [label: string]: string } };
type Samples = { [name: string]: Sample[] };

/** How long values that come from the database are kept, and how long a request for metrics waits for them. */
const KEPT_MS = 10_000;
const READ_MS = 2_000;

/**
 * Defines gauges whose values come from the database. They are read together, only when the metrics are requested, and at
 * most every ten seconds. If the database does not answer in time, the gauges have no values.
 * @param gauges the help of each gauge by its name, with the names of its labels
 */
export function defineGauges(
  gauges: { [name: string]: { help: string; labelNames?: string[] } },
  read: () => Promise<Samples>,
): void {
  let latest: Promise<Samples> | undefined;
  const readKept = () => {
    latest ??= inTime(read()).finally(() => {
      setTimeout(() => {
        latest = undefined;
      }, KEPT_MS).unref();
    });
    return latest;
  };
  for (const [name, options] of Object.entries(gauges)) {
    defineGauge({
      ...{ name, ...options },
      async collect() {
        const samples = await readKept();
        this.reset();
        if (!options.labelNames && !samples[name]) this.remove();
        for (const { labels = {}, value } of samples[name] ?? []) this.set(labels, value);
      },
    });
  }
}

function inTime(reading: Promise<Samples>): Promise<Samples> {
  const late = new Promise<Samples>((resolve) => setTimeout(resolve, READ_MS, {}).unref());
  return Promise.race([reading.catch(() => ({})), late]);
}

/** A value for every network, 0 for those without a row, so that a graph shows no gaps. */
export function perNetwork(rows: { platform: Platform; value: number }[]): Sample[] {
  const values = new Map(rows.map(({ platform, value }) => [platform, value]));
  return (Object.entries(platforms) as [Platform, NetworkName][]).map(([platform, network]) => ({
    labels: { network },
    value: values.get(platform) ?? 0,
  }));
}

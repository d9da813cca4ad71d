import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { env } from "../lib/env";
import { parseUrl } from "../lib/env/parse-url";
import { ApiError } from "../lib/errors";
import { createWebhookSecret, eventTypes, signedHeaders } from "../lib/webhooks";
import { type Command, choice, type Input, UsageError } from "./command";

const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 15_000;

const Page = z.object({
  items: z.array(
    z.object({ id: z.string(), type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) }),
  ),
  nextCursor: z.string(),
  hasMore: z.boolean(),
});
type Event = z.infer<typeof Page>["items"][number];

type ListenOptions = {
  /** The URL of the service. */
  url: string;
  token: string;
  forwardTo: string;
  secret: string;
  /** Empty: all events. */
  events: string[];
  since: string;
};

/** Forwards events to a developer's machine as signed webhooks. It polls the event log, so the machine need not be reachable. */
export const listenCommand: Command = {
  about: "Forwards events to this machine as signed webhooks, until Ctrl-C",
  options: {
    "forward-to": {
      value: "URL",
      about: "where to send events, for example http://localhost:4000/hook",
      required: true,
    },
    token: { value: "T", about: "an access token with webhooks.write (default: CARILLON_TOKEN)" },
    url: { value: "URL", about: "the service (default: BASE_URL)" },
    event: { value: "TYPE", about: "only events of this type (default: all)", many: true },
    secret: {
      value: "S",
      about: "the signing secret (default: CARILLON_WEBHOOK_SECRET, or a new one that is printed)",
    },
    since: { value: "CURSOR", about: "where to start in the event log (default: new events only)" },
  },
  skipsDatabase: true,
  prints: '{ "forwarded", "refused", "cursor" } when it ends; each forwarded event is shown on standard error',
  example: "--forward-to http://localhost:4000/hook --event publication.published",
  prepare(input) {
    const options = optionsOf(input);
    return () => untilStopped((signal) => listen(options, signal));
  },
};

/** Runs work until Ctrl-C or SIGTERM. */
async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

function optionsOf(input: Input): ListenOptions {
  const token = input.get("token") ?? env.listen.token;
  if (!token) throw new UsageError("--token is missing, and CARILLON_TOKEN is not set");
  const address = (name: string, value: string) => {
    if (!/^https?:/.test(parseUrl(value)?.protocol ?? ""))
      throw new UsageError(`--${name} must be an http or https URL, not ${value}`);
    return value;
  };
  const given = input.get("secret");
  if (given && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(given))
    throw new UsageError("--secret must be whsec_ followed by base64");
  const secret = given ?? env.listen.secret ?? createWebhookSecret();
  if (!given && !env.listen.secret) console.error(`Signed with ${secret}`);
  return {
    url: address("url", input.get("url") ?? env.baseUrl).replace(/\/$/, ""),
    token,
    forwardTo: address("forward-to", input.required("forward-to")),
    secret,
    events: input.all("event").map((type) => choice("event", type, eventTypes)),
    since: input.get("since") ?? "now",
  };
}

/** Forwards events until the signal is aborted. @throws ApiError if the service rejects the token or the cursor */
export async function listen(options: ListenOptions, signal: AbortSignal) {
  const done = { forwarded: 0, refused: 0, cursor: options.since };
  while (!signal.aborted) {
    const page = await pull(options, done.cursor, signal);
    for (const event of page?.items ?? []) {
      if (options.events.length > 0 && !options.events.includes(event.type)) continue;
      const status = await forward(options, event, signal);
      if (status === undefined) return done; // stopped before the event was delivered; the cursor still points before it
      if (status >= 200 && status < 300) done.forwarded += 1;
      else done.refused += 1;
      console.error(`${event.timestamp} ${event.type} ${event.id} -> ${status}`);
    }
    if (page) done.cursor = page.nextCursor;
    if (!page?.hasMore) await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
  return done;
}

/** Returns the next page of the event log, or undefined if the service is unavailable. */
async function pull({ url, token }: ListenOptions, cursor: string, signal: AbortSignal) {
  const address = `${url}/v1/events?limit=100&since=${encodeURIComponent(cursor)}`;
  const options = { headers: { authorization: `Bearer ${token}` }, signal: limited(signal) };
  const answer = await fetch(address, options)
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => undefined);
  if (!answer || answer.status === 429 || answer.status >= 500) {
    if (!signal.aborted) console.error(`${url} does not answer; retrying`);
    return undefined;
  }
  const body = fromJson(answer.text);
  if (answer.status !== 200) {
    const refusal = z.object({ error: z.string() }).safeParse(body);
    throw new ApiError(401, `${url} answered ${answer.status}: ${refusal.data?.error ?? "no reason given"}`);
  }
  const page = Page.safeParse(body);
  if (!page.success) throw new ApiError(400, `${url} does not answer like Carillon. Check --url`);
  return page.data;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends one event as a webhook, and retries until the receiver answers. Returns its status, or undefined if stopped. */
async function forward({ forwardTo, secret }: ListenOptions, { id, ...event }: Event, signal: AbortSignal) {
  const body = JSON.stringify(event);
  for (let isReported = false; !signal.aborted; isReported = true) {
    const signed = signedHeaders({ id, seconds: Math.floor(Date.now() / 1000), body }, [secret]);
    const headers = { "content-type": "application/json", ...signed };
    try {
      const answer = await fetch(forwardTo, {
        ...{ method: "POST", headers, body, redirect: "manual", signal: limited(signal) },
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      if (signal.aborted) return undefined;
      if (!isReported) console.error(`${forwardTo} does not answer; retrying ${id}`);
      await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);

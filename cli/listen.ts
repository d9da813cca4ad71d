import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { env } from "../lib/env";
import { ApiError } from "../lib/errors";
import { eventTypes, newSecret, signedHeaders } from "../lib/webhooks";
import { type Command, choice, type Input, UsageError } from "./command";

const EVERY_MS = 1_000;
const TIMEOUT_MS = 15_000;

const Page = z.object({
  items: z.array(
    z.object({ id: z.string(), type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) }),
  ),
  nextCursor: z.string(),
  hasMore: z.boolean(),
});
type Event = z.infer<typeof Page>["items"][number];

type Listening = {
  /** The service's address. */
  url: string;
  token: string;
  forwardTo: string;
  secret: string;
  /** None: all of them. */
  events: string[];
  since: string;
};

/** Brings events to a developer's machine as webhooks would, signed; the log is pulled, so nothing has to reach the machine. */
export const listenCommand: Command = {
  about: "Forwards events to this machine, signed as webhooks are, until Ctrl-C",
  options: {
    "forward-to": {
      value: "URL",
      about: "where they are sent, for example http://localhost:4000/hook",
      required: true,
    },
    token: { value: "T", about: "an access token with webhooks.write; otherwise CARILLON_TOKEN" },
    url: { value: "URL", about: "the service; otherwise BASE_URL" },
    event: { value: "TYPE", about: "only events of this type; otherwise all", many: true },
    secret: { value: "S", about: "what signs them; otherwise CARILLON_WEBHOOK_SECRET, or a new one that is shown" },
    since: { value: "CURSOR", about: "where in the log to begin; otherwise with what happens from now on" },
  },
  isRemote: true,
  prints: '{ "forwarded", "refused", "cursor" } at its end; each event as it is forwarded on standard error',
  example: "--forward-to http://localhost:4000/hook --event publication.published",
  async run(input) {
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    process.once("SIGINT", stop).once("SIGTERM", stop);
    try {
      return await listen(listeningOf(input), stopping.signal);
    } finally {
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
  },
};

function listeningOf(input: Input): Listening {
  const token = input.get("token") ?? env.listen.token;
  if (!token) throw new UsageError("--token is missing, and CARILLON_TOKEN is not set");
  const address = (name: string, value: string) => {
    if (!/^https?:/.test(URL.canParse(value) ? new URL(value).protocol : ""))
      throw new UsageError(`--${name} must be an http or https URL, not ${value}`);
    return value;
  };
  const given = input.get("secret");
  if (given && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(given)) throw new UsageError("--secret must be whsec_ and base64");
  const secret = given ?? env.listen.secret ?? newSecret();
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

/** Forwards until told to stop. @throws ApiError where the service refuses the token or the cursor */
export async function listen(listening: Listening, signal: AbortSignal) {
  const done = { forwarded: 0, refused: 0, cursor: listening.since };
  while (!signal.aborted) {
    const page = await pull(listening, done.cursor, signal);
    for (const event of page?.items ?? []) {
      if (listening.events.length > 0 && !listening.events.includes(event.type)) continue;
      const status = await forward(listening, event, signal);
      if (status === undefined) return done; // stopped before it was taken: it comes again from the cursor
      if (status >= 200 && status < 300) done.forwarded += 1;
      else done.refused += 1;
      console.error(`${event.timestamp} ${event.type} ${event.id} -> ${status}`);
    }
    if (page) done.cursor = page.nextCursor;
    if (!page?.hasMore) await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
  return done;
}

/** The next page of the log; undefined while the service is away. */
async function pull({ url, token }: Listening, cursor: string, signal: AbortSignal) {
  const address = `${url}/v1/events?limit=100&since=${encodeURIComponent(cursor)}`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal: limited(signal) }).catch(
    () => undefined,
  );
  if (!answer || answer.status === 429 || answer.status >= 500) {
    if (!signal.aborted) console.error(`${url} does not answer; trying again`);
    return undefined;
  }
  if (answer.ok) return Page.parse(await answer.json());
  const { error } = z.object({ error: z.string().optional() }).parse(await answer.json().catch(() => ({})));
  throw new ApiError(401, `${url} answered ${answer.status}: ${error ?? "no reason was given"}`);
}

/** Sends one event as a webhook is sent; waits while nobody listens there. Undefined where it was stopped meanwhile. */
async function forward({ forwardTo, secret }: Listening, { id, ...event }: Event, signal: AbortSignal) {
  const body = JSON.stringify(event);
  for (let isSaid = false; !signal.aborted; isSaid = true) {
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
      if (!isSaid) console.error(`${forwardTo} does not answer; ${id} waits for it`);
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);

import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Carillon, CarillonError, type Schemas } from "../../sdk/src";
import { type Command, type Input, plain, UsageError } from "./command";

type Event = Schemas["EventPage"]["items"][number];

/** Every type of the API; the compiler refuses a missing or an unknown one. */
const TYPES: { [type in Schemas["EventType"]]: true } = {
  ...{ "account.connected": true, "account.disconnected": true, "account.reconnect_required": true },
  ...{ "comment.failed": true, "comment.published": true, "media.upload.failed": true, "media.upload.ready": true },
  ...{ "post.completed": true, "post.deleted": true, "post.failed": true, "post.in_progress": true },
  ...{ "post.media_import_failed": true, "post.partially_completed": true, "post.scheduled": true },
  ...{ "publication.failed": true, "publication.published": true },
};

const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 15_000;

const eventOption: Command["options"] = {
  event: {
    type: "string",
    multiple: true,
    value: "TYPE",
    about: "only events of this type, such as post.failed (default: all)",
  },
};
const sinceOption = (start: string): Command["options"] => ({
  since: { type: "string", value: "CURSOR", about: `nextCursor of GET /v1/events (default: ${start})` },
});

export const logsCommand: Command = {
  about: "Shows the events of the last 30 days, oldest first",
  options: {
    follow: { type: "boolean", about: "shows new events as they happen, until Ctrl-C" },
    ...eventOption,
    ...sinceOption("the oldest; with --follow, new events only"),
  },
  async run(input) {
    const { flag, get, print } = input;
    const since = get("since") ?? (flag("follow") ? "now" : undefined);
    for await (const event of eventsOf(input, since, flag("follow"))) {
      const { id, type, timestamp, data } = event;
      print(event, [plain(`${timestamp} ${type} ${id} ${JSON.stringify(data)}`)]);
    }
  },
};

export const listenCommand: Command = {
  about: "Forwards new events to this computer as signed webhooks, until Ctrl-C",
  options: {
    "forward-to": { type: "string", value: "URL", about: "where to send them, such as http://localhost:4000/hook" },
    secret: {
      ...{ type: "string", value: "SECRET" },
      about: "signs them (default: CARILLON_WEBHOOK_SECRET, or a new one that is shown)",
    },
    ...eventOption,
    ...sinceOption("new events only"),
  },
  async run(input) {
    const { get, note, print, signal } = input;
    const target = get("forward-to");
    if (target === undefined)
      throw new UsageError("--forward-to is missing. Name an address such as http://localhost:4000/hook");
    if (!isAddress(target)) throw new UsageError(`--forward-to must be an http or https address, not ${target}`);
    const secret =
      get("secret") || process.env.CARILLON_WEBHOOK_SECRET || `whsec_${randomBytes(32).toString("base64")}`;
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret))
      throw new UsageError("--secret must be whsec_ followed by base64");
    if (!get("secret") && !process.env.CARILLON_WEBHOOK_SECRET) note(`Signed with ${secret}`);
    for await (const event of eventsOf(input, get("since") ?? "now", true)) {
      const { id, type, timestamp } = event;
      const status = await forward(event, { target, secret, note, signal });
      if (status === undefined) return;
      print({ id, type, status }, [plain(`${timestamp} ${type} ${id} -> ${status}`)]);
    }
  },
};

function isAddress(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}

/** Yields the events after a place in the log. Following goes on while the server is unreachable, until the signal is aborted. */
async function* eventsOf(input: Input, since: string | undefined, isFollowing: boolean): AsyncGenerator<Event, void> {
  const { client, all, note, signal } = input;
  const types = all("event");
  const wrong = types.find((type) => !Object.hasOwn(TYPES, type));
  if (wrong !== undefined)
    throw new UsageError(`${wrong} is not a type of event. Use ${Object.keys(TYPES).join(", ")}`);
  const carillon = await client();
  let cursor = since;
  let hasAnswered = false;
  let isAway = false;
  while (!signal.aborted) {
    const page = await readPage(carillon, cursor, signal).catch((error) => {
      if (signal.aborted) return undefined;
      const isPassing =
        error instanceof CarillonError && (error.status === 0 || error.status === 429 || error.status >= 500);
      // Only failures after the first answer are waited out: a wrong address already fails the first call.
      if (!isFollowing || !isPassing || !hasAnswered) throw error;
      if (!isAway) note(`${error.message} Trying again …`);
      isAway = true;
      return undefined;
    });
    if (page) {
      hasAnswered = true;
      isAway = false;
      for (const event of page.items) {
        if (types.length === 0 || types.includes(event.type)) yield event;
        if (signal.aborted) return;
      }
      cursor = page.nextCursor;
      if (!isFollowing && !page.hasMore) return;
    }
    if (!page?.hasMore) await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

function readPage(carillon: Carillon, since: string | undefined, signal: AbortSignal) {
  return carillon.get("/v1/events", { query: { since, limit: 100 }, signal });
}

type Forwarding = { target: string; secret: string; note: Input["note"]; signal: AbortSignal };

/** Sends one event as a webhook, and retries until the receiver answers. Returns its status, or undefined if stopped. */
async function forward(
  { id, ...event }: Event,
  { target, secret, note, signal }: Forwarding,
): Promise<number | undefined> {
  const body = JSON.stringify(event);
  for (let isReported = false; !signal.aborted; isReported = true) {
    const headers = { "content-type": "application/json", ...signed(id, body, secret) };
    try {
      return await postOnce(target, headers, body, signal);
    } catch {
      if (signal.aborted) return undefined;
      if (!isReported) note(`${target} does not answer. Trying ${id} again …`);
      await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

/** Node 18 cannot combine signals, so this ends one try by itself or with the command. */
async function postOnce(
  url: string,
  headers: { [name: string]: string },
  body: string,
  signal: AbortSignal,
): Promise<number> {
  const tried = new AbortController();
  const abort = () => tried.abort();
  const timer = setTimeout(abort, TIMEOUT_MS);
  signal.addEventListener("abort", abort);
  try {
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: tried.signal });
    await answer.body?.cancel();
    return answer.status;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/** Standard Webhooks: the HMAC of the id, the time and the body. */
function signed(id: string, body: string, secret: string): { [name: string]: string } {
  const seconds = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}

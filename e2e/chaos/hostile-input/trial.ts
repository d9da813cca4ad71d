import { routes } from "../../../lib/api/app";
import { type Platform, platformValues } from "../../../lib/platforms";
import type { OwnProduct } from "../../setup/product";
import { type Door, feedSettings, openDoors, serveFeed } from "../../trials/fuzz/doors";
import type { Plan } from "../../trials/fuzz/plan";
import { type Example, placesIn, requestOf, summaryOf } from "../../trials/fuzz/request";
import { schemaOf } from "../../trials/fuzz/trial";
import { type Asked, type Headers, sendJson } from "../../trials/http";
import { connectAccount, newPerson } from "../../trials/people";
import type { Size, Trial, TrialContext } from "../../trials/trial";
import { peopleOf } from "../rig";
import { blockOf, LIMIT_MS } from "./block";
import { inputsWithoutDoor, openMoreDoors } from "./doors";
import { hostileFeeds } from "./feeds";
import { csvBodies, formBodies, jsonBodies, mcpBodies, multipartBodies, textsOf } from "./texts";

/** Node takes 16 KB of request line and headers. */
const MAX_HEADER_CHARACTERS = 12_000;
/** A form has at most 64 KB. */
const MAX_FORM_CHARACTERS = 60_000;
/** The short form sends every 150th plan, starting with another one on each route, and every third of the bodies full of posts. */
const EVERY = { short: { plan: 150, full: 3 }, whole: { plan: 1, full: 1 } } satisfies { [size in Size]: object };
/** The networks whose checks get bodies that are full of posts. */
const NETWORKS = { short: ["X_TWITTER", "INSTAGRAM", "TELEGRAM"], whole: platformValues } satisfies {
  [size in Size]: readonly Platform[];
};
/** The routes that read most of a body. They get every hostile body in the short form too. */
const READERS = ["POST /v1/posts/validate", "POST /v1/posts/import"];

const headerNames = [
  ...["accept-encoding", "accept-language", "authorization", "content-type", "cookie", "host", "idempotency-key"],
  ...[
    "if-none-match",
    "if-range",
    "origin",
    "range",
    "user-agent",
    "x-api-key",
    "x-connect-user-id",
    "x-forwarded-for",
  ],
  ...["x-telegram-bot-api-secret-token", "tiktok-signature", "x-hub-signature-256"],
];

/** T32: no text, table or JSON that fits into a request blocks the event loop or is answered with 5xx. */
export const hostileInput: Trial = {
  id: "T32",
  guarantee: `hostile text, CSV and JSON at every input: no 5xx, and the event loop is never blocked for over ${LIMIT_MS} ms`,
  settings: async () => ({ WORKER: "off", ...(await feedSettings()) }),
  parts: "known while it runs",
  async run(context, size) {
    const { product, seed, isWanted, log } = context;
    const worker = await product.startWorker(); // apart, so that its work does not count as the web process's
    const hostile = size === "whole" ? Object.entries(hostileFeeds) : []; // they take minutes
    const feeds = hostile.map(([name, write]) => [`/${encodeURIComponent(name)}`, write()]);
    const feed = await serveFeed(product, Object.fromEntries(feeds));
    const fuzzed = await openDoors(product, seed, feed.url);
    // If both have a request for an input, that of the fuzz trial is used, because it leads further into the page.
    const doors = { ...fuzzed, ...(await openMoreDoors(product, seed)), ...fuzzed };
    for (const input of inputsWithoutDoor(doors)) {
      context.fail(`${input} has no request in e2e/chaos/hostile-input/doors.ts`);
    }
    const networks = await openNetworkDoors(product, NETWORKS[size]);
    const tally = new Tally(context);
    const texts = textsOf(size);
    for (const [index, [name, door]] of Object.entries({ ...doors, ...networks }).entries()) {
      if (!isWanted(name)) continue;
      const [method = "", path = ""] = name.split(" ");
      let example: Example = { ...(await door.example()), method, path };
      const every = (count: number) => (_: LazyPlan, at: number) => (at + index) % count === 0;
      const plans = [...plansFor(name, example, rotated(texts, index))].filter(every(EVERY[size].plan));
      if (READERS.includes(name)) plans.push(...bodiesFor(example).map(wholeBody));
      if (name === "POST /mcp") plans.push(...mcpBodies.map(wholeBody));
      if (name in networks) plans.push(...[...fullBodies(example.json, texts)].filter(every(EVERY[size].full)));
      for (const plan of plans) {
        const { target, asked } = requestOf(example, plan());
        const { status } = await tally.attempt(name, target, asked);
        if (status < 400) example = { ...(await door.example()), method, path }; // it may have been used up
      }
      log(`${name}: ${tally.summary()}`);
    }
    if (size === "whole") {
      await tryFeeds(context, tally, feed.url);
      await tryLists(context, tally, feed.url);
    }
    await worker.stop();
    await feed.close();
    return tally.figures();
  },
};

class Tally {
  private requests = 0;
  private longest = { blockMs: 0, what: "" };
  private readonly statuses: { [status: number]: number } = {};

  constructor(private readonly context: TrialContext) {}

  async attempt(name: string, target: string, asked: Asked): Promise<{ status: number }> {
    this.requests++;
    try {
      const { answer, blockMs } = await blockOf(this.context.product, target, asked);
      const what = () => `${name}: ${summaryOf({ target, asked })}`;
      if (blockMs > this.longest.blockMs) this.longest = { blockMs, what: name };
      if (blockMs > LIMIT_MS) this.context.fail(`the event loop was blocked for ${blockMs} ms by ${what()}`);
      if (answer.status >= 500) this.context.fail(`${answer.status} ${answer.text.slice(0, 300)} to ${what()}`);
      this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
      return answer;
    } catch (error) {
      this.context.fail(`${name}: ${String(error)} to ${summaryOf({ target, asked })}`);
      return { status: 0 };
    }
  }

  figures() {
    const { blockMs, what } = this.longest;
    return { requests: this.requests, statuses: this.statuses, longestBlockMs: blockMs, at: what };
  }

  summary(): string {
    return `${this.requests} requests, longest block ${this.longest.blockMs} ms (${this.longest.what})`;
  }
}

/** Tries out and adds hostile feeds, with a template that repeats their texts as often as a template may. */
async function tryFeeds({ product, seed, isWanted, log }: TrialContext, tally: Tally, feedUrl: string): Promise<void> {
  const person = await newPerson(product, `feeds-${seed}@example.com`);
  const account = await connectAccount(product, person, "X_TWITTER", `feeds${seed}`);
  const posts = Array.from({ length: 20 }, () => ({ content: `{{title}}${"{{summary}}".repeat(8)}{{link}}` }));
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts };
  const headers = { ...person.headers, "content-type": "application/json" };
  for (const feed of Object.keys(hostileFeeds)) {
    for (const query of ["?dryRun=true", ""]) {
      const name = `POST /v1/feeds${query} ${feed}`;
      if (!isWanted(name)) continue;
      const input = { url: `${feedUrl}/${encodeURIComponent(feed)}`, template: { isDraft: false, publications: [on] } };
      const body = JSON.stringify({ ...input, ...(query ? {} : { newestItems: 20 }) });
      await tally.attempt(name, `/v1/feeds${query}`, { method: "POST", headers, body });
      log(`${name}: ${tally.summary()}`);
    }
  }
}

/** Lists of the longest drafts and feeds that a person may have. */
async function tryLists({ product, seed, isWanted, log }: TrialContext, tally: Tally, feedUrl: string): Promise<void> {
  const paths = [
    ...["/v1/posts?limit=100", "/v1/posts?limit=100&sort=scheduledTime", "/v1/posts/duplicates", "/v1/posts/export"],
    ...["/v1/me/attention", "/v1/me/export", "/v1/feeds"],
  ].filter((path) => isWanted(`GET ${path} long`));
  if (paths.length === 0) return;
  const person = await newPerson(product, `lists-${seed}@example.com`);
  const { headers } = person;
  const account = await connectAccount(product, person, "X_TWITTER", `lists${seed}`);
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" } };
  const made = async (path: string, body: object) => {
    const { status, text } = await sendJson(product.url, "POST", path, body, headers);
    if (status !== 201) throw new Error(`${path} returned ${status} ${text.slice(0, 200)}`);
  };
  const posts = Array.from({ length: 10 }, () => ({ content: "long ".repeat(19_800) }));
  const draft = { isDraft: true, scheduledTime: "2090-01-01T00:00:00Z", publications: [{ ...on, posts }] };
  for (let count = 0; count < 60; count++) await made("/v1/posts", draft);
  // A template has 100,000 characters as it is stored, with the fields that have a default.
  const short = Array.from({ length: 45 }, () => ({ content: "x" }));
  const feed = {
    url: feedUrl,
    template: { publications: Array.from({ length: 40 }, () => ({ ...on, posts: short })) },
  };
  for (let count = 0; count < 100; count++) await made("/v1/feeds", feed);
  for (const path of paths) {
    await tally.attempt(`GET ${path} long`, path, { headers });
    log(`GET ${path} long: ${tally.summary()}`);
  }
}

/** Builds a plan only when it is sent, because its texts are long and the short form sends few. */
type LazyPlan = () => Plan;

/** Every place of a request that takes text, each with the next text, and every hostile body that the route may read. */
function* plansFor(name: string, example: Example, texts: Iterator<string, never>): Generator<LazyPlan> {
  const next = () => texts.next().value;
  const body = example.form ?? example.json;
  if (body !== undefined) {
    const nextValue = () => (example.form ? formValue(next()) : JSON.stringify(next()));
    for (let place = 0; place < placesIn(body).length; place++) {
      for (const how of ["replace", "beside"] as const)
        yield () => ({ body: { kind: "value", place, how, text: nextValue() } });
    }
  }
  yield* bodiesFor(example).map(wholeBody);
  if (example.path.includes("{")) yield () => ({ segment: encoded(next()) });
  for (const query of queriesFor(name, example, next)) yield () => ({ query: query() });
  for (const header of headerNames) yield () => ({ headers: { [header]: headerValue(header, next()) } });
}

const wholeBody =
  (body: string): LazyPlan =>
  () => ({ body: { kind: "whole", body } });

function bodiesFor(example: Example): string[] {
  if (example.form) return formBodies;
  if (example.json !== undefined) return jsonBodies;
  const type = example.headers?.["content-type"] ?? "";
  if (type.startsWith("text/csv")) return csvBodies;
  if (type.startsWith("multipart/")) return multipartBodies;
  return example.raw === undefined ? [] : [...formBodies, ...jsonBodies];
}

/** Queries: each known parameter and an unknown one with a hostile text, and very many parameters, equal or different. */
function queriesFor(name: string, { query = "" }: Example, next: () => string): (() => string)[] {
  const route = routes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name);
  const known = new URLSearchParams(query);
  const names = new Set([...known.keys(), ...Object.keys(schemaOf(route?.query)?.properties ?? {}), "unknown"]);
  const changed = [...names].map((one) => {
    const others = [...known].filter(([other]) => other !== one);
    return () => `${new URLSearchParams(others)}&${one}=${encoded(next())}`;
  });
  const many = ["&", "a=1&", "%41", "=", "a[b]=1&", "%"].map(
    (unit) => () => unit.repeat(MAX_HEADER_CHARACTERS / unit.length),
  );
  const different = Array.from({ length: MAX_HEADER_CHARACTERS / 4 }, (_, n) => n.toString(36).padStart(3, "0"));
  return [...changed, ...many, () => different.join("&")];
}

/** As much of a text as fits into a form. A character has up to twelve when it is encoded. */
function formValue(text: string): string {
  let value = text.slice(0, MAX_FORM_CHARACTERS).toWellFormed();
  while (encodeURIComponent(value).length > MAX_FORM_CHARACTERS)
    value = value.slice(0, value.length / 2).toWellFormed();
  return value;
}

/** As much of a text, percent-encoded, as fits into the address of a request. */
function encoded(text: string): string {
  const all = encodeURIComponent(text.slice(0, MAX_HEADER_CHARACTERS).toWellFormed());
  return all.slice(0, MAX_HEADER_CHARACTERS).replace(/%.?$/, "");
}

/** As much of a text as fits into a header, with a prefix that leads to the parser of its value. */
function headerValue(name: string, text: string): string {
  const prefixes: Headers = {
    authorization: "Bearer ",
    "content-type": "multipart/form-data; ",
    range: "bytes=",
    cookie: "a=",
  };
  const visible = text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "\xff");
  return `${prefixes[name] ?? ""}${visible.slice(0, MAX_HEADER_CHARACTERS)}`;
}

/** Yields the texts over and over. Each route starts with another one. */
function* rotated(texts: string[], start: number): Generator<string, never> {
  for (let at = start * 7; ; at++) yield texts[at % texts.length] ?? "";
}

/** A post on each of these networks whose parts are valid. */
async function openNetworkDoors(
  product: OwnProduct,
  platforms: readonly Platform[],
): Promise<{ [name: string]: Door }> {
  const people = await peopleOf(
    product,
    platforms.map((platform) => ({ platform, accounts: 1 })),
  );
  const doors = people.map(({ token, accounts: [account] }): [string, Door] => {
    if (!account) throw new Error("a person has no account");
    const { id, network, settings, post } = account;
    const on = { socialMediaAccountId: id, platformSettings: settings, posts: [{ content: "Right", ...post }] };
    const json = { scheduledTime: "2090-01-01T00:00:00Z", publications: [on] };
    const example = async () => ({ headers: { authorization: `Bearer ${token}` }, json });
    return [`POST /v1/posts/validate ${network}`, { kind: "api", example }];
  });
  return Object.fromEntries(doors);
}

/** Bodies of almost 1 MB with a text in each of many publications, so that every text is checked by this network. */
function* fullBodies(json: unknown, texts: string[]): Generator<LazyPlan> {
  const publication = JSON.stringify(json).match(/"publications":\[(.*)\]}$/)?.[1] ?? "{}";
  let body: string[] = [];
  let bytes = 0;
  const whole = () => `{"scheduledTime":"2090-01-01T00:00:00Z","publications":[${body.join(",")}]}`;
  for (const text of texts) {
    const filled = publication.replace('"Right"', () => JSON.stringify(text));
    const more = Buffer.byteLength(filled) + 1;
    if (bytes + more > 1_000_000) {
      yield wholeBody(whole());
      body = [];
      bytes = 0;
    }
    body.push(filled);
    bytes += more;
  }
  yield wholeBody(whole());
}

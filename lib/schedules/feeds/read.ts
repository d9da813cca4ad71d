import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { perProcess } from "../../db/per-process";
import { EgressError } from "../../http/egress-error";
import { guardedFetch } from "../../http/guarded-fetch";
import { outsideUrlProblem } from "../../http/outside-url";
import { fairPlaces } from "../../jobs/places";

export type FeedItem = {
  /** A digest of what identifies the item in its feed: its guid or id; its link if it has none; then its title. */
  key: string;
  guid: string;
  title?: string;
  link?: string;
  summary?: string;
  author?: string;
  /** A picture, as a web address. */
  image?: string;
  publishedTime?: string;
};

/** A feed as it was read. The items are in the order in which they were published. */
export type FeedDocument = { title?: string; items: FeedItem[] };

/** What the thread parses (`thread.ts`). */
export type FeedBytes = { bytes: Uint8Array; contentType: string; url: string };

/** What a server wants to see again, so that it sends only a changed document (RFC 9110, section 13.1). */
export type Validators = { etag?: string | null; lastModified?: string | null };

export type ReadFeed = Validators & {
  /** Undefined: it has not changed. */
  document?: FeedDocument;
};

const MAX_BYTES = 4 * 1_048_576;
const TOTAL_MS = 30_000;
const PARSE_MS = 10_000;
/** How long a thread waits for another document before it ends, because it holds memory. */
const IDLE_MS = 10_000;
const ACCEPT = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";
/** A validator that is longer is not kept, and the document is read as a whole each time. */
const MAX_VALIDATOR = 1_000;

/** A feed could not be read. The message completes "the feed …" and can be shown to its user. */
export class FeedError extends Error {
  /** The server says that the feed is gone for ever. */
  readonly isGone: boolean;
  /** The server asks to wait this long. */
  readonly retryAfterSeconds: number;
  constructor(message: string, { isGone = false, retryAfterSeconds = 0 } = {}) {
    super(message);
    this.name = "FeedError";
    this.isGone = isGone;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Each reading holds a document and perhaps a thread in memory, so a process reads few feeds at once. */
const readings = perProcess("feeds.readings", () => fairPlaces(4));

/**
 * Reads a feed at a public address: at most 4 MB, RSS, Atom, RDF or JSON Feed. The owners whose feeds wait take turns.
 * @param feed with what the server sent with the last document, if there is one
 * @throws FeedError
 */
export async function readFeed(feed: { ownerId: string; url: string } & Validators): Promise<ReadFeed> {
  const problem = outsideUrlProblem(feed.url);
  if (problem) throw new FeedError(problem);
  const release = await readings.take(feed.ownerId);
  try {
    return await readNow(feed.url, feed);
  } finally {
    release();
  }
}

async function readNow(url: string, known: Validators): Promise<ReadFeed> {
  try {
    const { status, header, body, close } = await guardedFetch(url, {
      maxBytes: MAX_BYTES,
      totalMs: TOTAL_MS,
      headers: {
        accept: ACCEPT,
        ...(known.etag ? { "if-none-match": known.etag } : {}),
        ...(known.lastModified ? { "if-modified-since": known.lastModified } : {}),
      },
    });
    const validators = { etag: kept(header("etag")), lastModified: kept(header("last-modified")) };
    if (status !== 200) close();
    if (status === 304) return { etag: known.etag, lastModified: known.lastModified };
    if (status !== 200) throw refusal(status, header("retry-after"));
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const bytes = { bytes: Buffer.concat(chunks), contentType: header("content-type") ?? "", url };
    return { ...validators, document: await parseInThread(bytes) };
  } catch (error) {
    if (error instanceof EgressError) throw new FeedError(`cannot be read: ${error.message}`);
    throw error;
  }
}

function kept(validator: string | undefined): string | null {
  return validator !== undefined && validator.length <= MAX_VALIDATOR ? validator : null;
}

function refusal(status: number, retryAfter: string | undefined): FeedError {
  if (status === 410) return new FeedError("was removed by its server (410)", { isGone: true });
  const seconds = /^\d{1,6}$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
  return new FeedError(`cannot be read: the server answers ${status}`, { retryAfterSeconds: seconds });
}

/** Threads that wait for the next document. Starting one costs more than parsing most documents. */
const idle = perProcess("feeds.threads", (): Worker[] => []);

async function parseInThread(feed: FeedBytes): Promise<FeedDocument> {
  const thread = idle.pop() ?? startThread();
  const late = setTimeout(() => void thread.terminate(), PARSE_MS);
  let refuse = () => {};
  const document = await new Promise<FeedDocument>((done, failed) => {
    refuse = () => failed(new FeedError("is not a feed: expected RSS, Atom or JSON Feed"));
    thread.once("message", done).once("error", refuse).once("exit", refuse);
    thread.ref();
    thread.postMessage(feed);
  }).finally(() => {
    clearTimeout(late);
    thread.off("error", refuse).off("exit", refuse);
  });
  thread.unref(); // an idle thread must not keep the process alive
  idle.push(thread);
  setTimeout(() => leave(thread)?.terminate(), IDLE_MS).unref();
  return document;
}

function startThread(): Worker {
  const thread = new Worker(resolve("dist/feed-thread.js"), { resourceLimits: { maxOldGenerationSizeMb: 128 } });
  return thread.on("error", () => {}).on("exit", () => leave(thread));
}

/** Takes a thread out of those that wait. Returns undefined if it does not wait. */
function leave(thread: Worker): Worker | undefined {
  const place = idle.indexOf(thread);
  return place >= 0 ? idle.splice(place, 1)[0] : undefined;
}

import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { parseFeed } from "feedsmith";
import { Parser } from "htmlparser2";
import { parseUrl } from "../../env/parse-url";
import { isWebUrl } from "../../http/outside-url";
import type { FeedBytes, FeedDocument, FeedItem } from "./read";

// The thread that parses feeds, one after the other: RSS, Atom, RDF or JSON Feed. A large or hostile document then keeps no
// request waiting, and `read.ts` ends the thread if it takes too long.

const MAX_ITEMS = 1_000;
const MAX_TITLE = 1_000;
const MAX_SUMMARY = 5_000;
/** The text of HTML ends where its elements are nested deeper: the parser takes longer for each element the deeper it is. */
const MAX_DEPTH = 500;
/** A longer address is left out: a part of it would lead elsewhere. */
const MAX_URL = 2_048;

type Parsed = ReturnType<typeof parseFeed<string>>;
type FormatOf<F extends Parsed["format"]> = Extract<Parsed, { format: F }>["feed"];
type Media = NonNullable<NonNullable<FormatOf<"rss">["items"]>[number]["media"]>;

/** An item as its format has it. Texts are HTML, unless `isPlain`. */
type Found = {
  guid?: string;
  title?: string;
  isTitleHtml?: boolean;
  link?: string;
  summary?: string;
  author?: string;
  published?: string;
  images?: (string | undefined)[];
};

/** @throws Error if the bytes are not a feed */
function parseDocument({ bytes, contentType, url }: FeedBytes): FeedDocument {
  const parsed = parseFeed(decode(bytes, contentType));
  const { title, items } = contentOf(parsed);
  const kept = items.slice(0, MAX_ITEMS).flatMap((item) => toItem(item, url));
  // A document that names one item twice counts it once.
  const distinct = new Map(kept.toReversed().map((item) => [item.key, item]));
  return { title: title && cut(textOf(title), MAX_TITLE), items: inOrder([...distinct.values()]) };
}

/** Oldest first. Feeds list the newest item first, which counts if an item has no time. */
function inOrder(items: FeedItem[]): FeedItem[] {
  if (items.some(({ publishedTime }) => publishedTime === undefined)) return items;
  return items.toSorted((a, b) => Date.parse(a.publishedTime ?? "") - Date.parse(b.publishedTime ?? ""));
}

/** XML names its encoding in the header of the answer, or in its first line (RFC 7303, section 3). */
function decode(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const named = /charset="?([\w-]+)/i.exec(contentType) ?? /^[^<]*<\?xml[^>]*encoding=["']([\w-]+)/i.exec(start);
  try {
    return new TextDecoder(named?.[1] ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // unknown encoding
  }
}

function contentOf(parsed: Parsed): { title?: string; items: Found[] } {
  if (parsed.format === "rss") return { title: parsed.feed.title, items: rssItems(parsed.feed) };
  if (parsed.format === "atom") return { title: parsed.feed.title?.value, items: atomItems(parsed.feed) };
  if (parsed.format === "rdf") return { title: parsed.feed.title, items: rdfItems(parsed.feed) };
  return { title: parsed.feed.title, items: jsonItems(parsed.feed) };
}

function rssItems({ items = [] }: FormatOf<"rss">): Found[] {
  return items.map((item) => ({
    guid: item.guid?.value,
    title: item.title,
    link: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
    summary: item.description ?? item.content?.encoded,
    author: item.authors?.[0]?.name ?? item.dc?.creators?.[0] ?? item.itunes?.author,
    published: item.pubDate ?? item.dc?.dates?.[0],
    images: [
      ...(item.enclosures ?? []).map(({ url, type }) => (type?.startsWith("image/") ? url : undefined)),
      ...imagesOf(item.media),
    ],
  }));
}

function atomItems({ entries = [] }: FormatOf<"atom">): Found[] {
  return entries.map((entry) => ({
    guid: entry.id,
    title: entry.title?.value,
    isTitleHtml: entry.title?.type === "html" || entry.title?.type === "xhtml",
    link: entry.links?.find(({ rel }) => rel === undefined || rel === "alternate")?.href,
    summary: entry.summary?.value ?? entry.content?.value ?? entry.media?.groups?.[0]?.description?.value,
    author: entry.authors?.[0]?.name,
    published: entry.published ?? entry.updated,
    images: [
      ...(entry.links ?? []).map(({ rel, type, href }) =>
        rel === "enclosure" && type?.startsWith("image/") ? href : undefined,
      ),
      ...imagesOf(entry.media),
    ],
  }));
}

function rdfItems({ items = [] }: FormatOf<"rdf">): Found[] {
  return items.map((item) => ({
    guid: item.rdf?.about ?? item.link,
    title: item.title,
    link: item.link,
    summary: item.description ?? item.content?.encoded,
    author: item.dc?.creators?.[0],
    published: item.dc?.dates?.[0],
    images: imagesOf(item.media),
  }));
}

function jsonItems({ items = [] }: FormatOf<"json">): Found[] {
  return items.map((item) => ({
    guid: item.id,
    title: item.title,
    link: item.url ?? item.external_url,
    summary: item.summary ?? item.content_html ?? item.content_text,
    author: item.authors?.[0]?.name,
    published: item.date_published ?? item.date_modified,
    images: [item.image, item.banner_image],
  }));
}

/** Media RSS: pictures of the item, then its small pictures. */
function imagesOf(media: Media | undefined): (string | undefined)[] {
  const contents = [...(media?.contents ?? []), ...(media?.groups ?? []).flatMap(({ contents: own = [] }) => own)];
  return [
    ...contents.map(({ url, medium, type }) => (medium === "image" || type?.startsWith("image/") ? url : undefined)),
    ...(media?.thumbnails ?? []).map(({ url }) => url),
  ];
}

/** Leaves out an item that nothing identifies: it could not be recognised the next time. */
function toItem(found: Found, base: string): FeedItem[] {
  const link = webUrl(found.link, base);
  const title = found.title && cut(found.isTitleHtml ? textOf(found.title) : found.title.trim(), MAX_TITLE);
  const identity = found.guid || link || title;
  if (!identity) return [];
  return [
    {
      key: createHash("sha256").update(identity).digest("hex"),
      guid: cut(identity, MAX_TITLE),
      title: title || undefined,
      link,
      summary: found.summary && (cut(textOf(found.summary), MAX_SUMMARY) || undefined),
      author: found.author && (cut(found.author.trim(), MAX_TITLE) || undefined),
      image: found.images?.map((image) => webUrl(image, base)).find((image) => image !== undefined),
      publishedTime: timeOf(found.published),
    },
  ];
}

/** Undefined for a text that is no time, and for a year without four digits, which our times do not have. */
function timeOf(text = ""): string | undefined {
  const time = new Date(text);
  const iso = Number.isNaN(time.getTime()) ? "" : time.toISOString();
  return /^\d{4}-/.test(iso) ? iso : undefined;
}

function webUrl(address: string | undefined, base: string): string | undefined {
  const href = address && address.length <= MAX_URL ? parseUrl(address.trim(), base)?.href : undefined;
  return href && isWebUrl(href) && href.length <= MAX_URL ? href : undefined;
}

const NO_TEXT = new Set(["script", "style"]);
const BLOCKS = new Set(["p", "br", "div", "li", "h1", "h2", "h3", "h4", "blockquote", "tr"]);

/** Returns the text of HTML: each block on its own line, without scripts and styles. */
export function textOf(html: string): string {
  let text = "";
  let [hidden, depth] = [0, 0];
  const parser = new Parser({
    onopentag(name) {
      depth += 1;
      if (depth > MAX_DEPTH) parser.pause();
      if (NO_TEXT.has(name)) hidden += 1;
      if (BLOCKS.has(name)) text += "\n";
    },
    onclosetag(name) {
      depth -= 1;
      if (NO_TEXT.has(name)) hidden -= 1;
      if (BLOCKS.has(name)) text += "\n";
    },
    ontext(part) {
      if (hidden === 0) text += part;
    },
  });
  parser.end(html);
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return lines.filter((line) => line !== "").join("\n");
}

/** Returns at most so many characters, without U+0000 and lone surrogates, which PostgreSQL cannot store. */
function cut(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll("\0", "");
}

// A document that is not a feed ends the thread with an error.
parentPort?.on("message", (feed: FeedBytes) => parentPort?.postMessage(parseDocument(feed)));

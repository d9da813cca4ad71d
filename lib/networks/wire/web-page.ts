import { parseUrl } from "../../env/parse-url";
import { EgressError } from "../../http/egress-error";
import { guardedFetch } from "../../http/guarded-fetch";
import type { WebFile } from "../network";
import { withoutEnd } from "../text/count";

const TOTAL_MS = 10_000;
/** A longer address of an image is left out: a part of it would lead elsewhere. */
const MAX_URL = 2_048;

/** Fetches a public address found in a post; returns undefined if it cannot be read. */
export async function fetchWebFile(url: string, maxBytes: number): Promise<WebFile | undefined> {
  try {
    const { status, header, body, close } = await guardedFetch(url, { maxBytes, totalMs: TOTAL_MS });
    if (status !== 200) {
      close();
      return undefined;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { contentType: header("content-type")?.toLowerCase() ?? "", bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof EgressError) return undefined;
    throw error;
  }
}

/** Title, description and image of a page. */
export type PageFacts = { title?: string; description?: string; image?: string };

/** Reads a page's Open Graph tags (ogp.me), falling back to its `<title>` and description. */
export function pageFacts({ contentType, bytes }: WebFile): PageFacts {
  if (!contentType.startsWith("text/html")) return {};
  const html = decoded(bytes, contentType);
  const tags = new Map<string, string>();
  for (const tag of tagsOf(html, /<meta\b/gi)) {
    const name = (attribute(tag, "property") ?? attribute(tag, "name"))?.toLowerCase();
    const content = attribute(tag, "content");
    if (name && content && !tags.has(name)) tags.set(name, content);
  }
  const title = titleOf(html);
  const image = tags.get("og:image") ?? tags.get("twitter:image");
  return {
    title: tags.get("og:title") ?? tags.get("twitter:title") ?? (plain(title) || undefined),
    description: tags.get("og:description") ?? tags.get("description"),
    image: image && image.length <= MAX_URL ? image : undefined,
  };
}

/** Yields the tags that begin with a pattern. A pattern for whole tags would take quadratic time on tags that never end. */
function* tagsOf(html: string, opening: RegExp): Generator<string> {
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const end = html.indexOf(">", match.index);
    if (end < 0) return;
    yield html.slice(match.index, end + 1);
    opening.lastIndex = end + 1;
  }
}

/** Returns the text of the first `<title>` that is closed. */
function titleOf(html: string): string {
  const opening = /<title\b/gi;
  while (opening.test(html)) {
    const start = html.indexOf(">", opening.lastIndex) + 1;
    const end = html.indexOf("<", start);
    if (start === 0 || end < 0) return "";
    if (/^<\/title>/i.test(html.slice(end, end + 8))) return html.slice(start, end);
    opening.lastIndex = start;
  }
  return "";
}

const END = new Set(".,;:!?'\"’”");

/**
 * Returns the first web address of a text, without trailing punctuation. No host in use is as long as 300 characters, and `URL`
 * takes time quadratic in its length.
 */
export function firstLink(text: string): string | undefined {
  const [found = ""] = /(?<![\p{L}\p{N}])https?:\/\/(?![^\s/?#]{300})[^\s<>"]+/iu.exec(text) ?? [];
  const isOpened = found.includes("(");
  const whole = withoutEnd(found, (character) => END.has(character) || (character === ")" && !isOpened));
  return parseUrl(whole) && whole;
}

function decoded(bytes: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // unknown charset
  }
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag);
  return value ? plain(value[1] ?? value[2] ?? value[3] ?? "") : undefined;
}

const NAMED: { [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Decodes character references (HTML standard, section 13.5, common names only) and collapses white space. */
function plain(text: string): string {
  const written = text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : "";
  });
  return written.replace(/\s+/g, " ").trim();
}

import { PlatformError } from "../errors";
import type { App, NetworkSession } from "../network";
import { type Blob, uploadBlob } from "./api";

/** A link preview. Bluesky creates none itself (docs.bsky.app/docs/advanced-guides/posts, "Website card embeds"). */
export type LinkCard = { uri: string; title: string; description: string; thumb?: Blob };

const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 3;
const SECONDS = 10;
const MAX_THUMB_BYTES = 1_000_000;
const MAX_TITLE = 300;
const MAX_DESCRIPTION = 1000;

/** Builds a card from a page's Open Graph tags (ogp.me) and uploads its image; undefined if there is no title or no page. */
export async function linkCardOf(session: NetworkSession, uri: string): Promise<LinkCard | undefined> {
  const page = await fetched(session.app, uri);
  if (!page?.contentType.startsWith("text/html")) return undefined;
  const html = page.bytes.toString("utf8");
  const title = meta(html, "og:title") ?? meta(html, "twitter:title") ?? titleOf(html);
  if (!title) return undefined;
  const description = meta(html, "og:description") ?? meta(html, "description") ?? "";
  const image = meta(html, "og:image") ?? meta(html, "twitter:image");
  const thumb =
    image && URL.canParse(image, page.url) ? await thumbOf(session, new URL(image, page.url).href) : undefined;
  const card = { uri, title: title.slice(0, MAX_TITLE), description: description.slice(0, MAX_DESCRIPTION) };
  return thumb ? { ...card, thumb } : card;
}

async function thumbOf(session: NetworkSession, address: string): Promise<Blob | undefined> {
  const image = await fetched(session.app, address);
  const type = image && pictureType(image.bytes);
  if (!type || image.bytes.length > MAX_THUMB_BYTES) return undefined;
  try {
    return await uploadBlob(session, image.bytes, type);
  } catch (error) {
    if (error instanceof PlatformError && error.kind === "rejected") return undefined; // the card works without an image
    throw error;
  }
}

/** Fetches a page or image; returns undefined if that fails. The host of every redirect is checked like the first. */
async function fetched(app: App, address: string) {
  let url = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await app.fetch(url, { accept: REDIRECTS, timeoutSeconds: SECONDS }).catch((error: unknown) => {
      if (error instanceof PlatformError) return undefined;
      throw error;
    });
    if (!answer) return undefined;
    const location = answer.headers.get("location");
    if (!REDIRECTS.includes(answer.status)) {
      const contentType = answer.headers.get("content-type")?.toLowerCase() ?? "";
      return { url, contentType, bytes: Buffer.from(await answer.arrayBuffer()) };
    }
    if (!location || !URL.canParse(location, url)) return undefined;
    url = new URL(location, url).href;
  }
  return undefined;
}

function meta(html: string, name: string): string | undefined {
  for (const [tag] of html.matchAll(/<meta\b[^>]*>/gi)) {
    const is = attribute(tag, "property") ?? attribute(tag, "name");
    const content = is?.toLowerCase() === name ? attribute(tag, "content") : undefined;
    if (content) return content;
  }
  return undefined;
}

function attribute(tag: string, name: string): string | undefined {
  const value = tag.match(new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i"));
  return value ? plain(value[1] ?? value[2] ?? value[3] ?? "") : undefined;
}

function titleOf(html: string): string | undefined {
  const title = html.match(/<title\b[^>]*>([^<]*)<\/title>/i)?.[1];
  return title && plain(title);
}

const ENTITIES: { [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function plain(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? whole;
      const point = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
      return point > 0 && point <= 0x10_ff_ff && !(point >= 0xd800 && point <= 0xdfff)
        ? String.fromCodePoint(point)
        : "";
    })
    .replace(/\s+/g, " ")
    .trim();
}

/** Detects the type from the first bytes, ignoring what the server says. */
function pictureType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  if (bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))) return "image/png";
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"
    ? "image/webp"
    : undefined;
}

import { parseUrl } from "../../env/parse-url";
import { PlatformError } from "../errors";
import type { App, NetworkSession } from "../network";
import { pageFacts } from "../wire/web-page";
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
  if (!page) return undefined;
  const { title, description = "", image } = pageFacts(page);
  if (!title) return undefined;
  const picture = image && parseUrl(image, page.url);
  const thumb = picture ? await thumbOf(session, picture.href) : undefined;
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
    const next = location && parseUrl(location, url);
    if (!next) return undefined;
    url = next.href;
  }
  return undefined;
}

/** Detects the type from the first bytes, ignoring what the server says. */
function pictureType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  if (bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))) return "image/png";
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"
    ? "image/webp"
    : undefined;
}

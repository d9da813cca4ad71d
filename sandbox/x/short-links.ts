import { createHash } from "node:crypto";
import type { XUrl } from "./state";
import { findUrls } from "./text";

/**
 * The text as X stores it: every URL becomes a `t.co` link, and attached media add one at the end. Positions are in code
 * points.
 */
export function withShortLinks(
  sent: string,
  id: string,
  photoPage?: { address: string; mediaKeys: string[] },
): { text: string; urls: XUrl[] } {
  const normal = sent.normalize("NFC");
  const urls: XUrl[] = [];
  let text = "";
  let position = 0;
  for (const found of findUrls(normal)) {
    text += normal.slice(position, found.start);
    const expanded = /^https?:/i.test(found.url) ? found.url : `http://${found.url}`;
    urls.push(link(text, shortLink(id, found.start), expanded));
    text += urls.at(-1)?.url;
    position = found.end;
  }
  text += normal.slice(position);
  if (!photoPage) return { text, urls };
  const before = text ? `${text} ` : "";
  const short = shortLink(id, -1);
  for (const media_key of photoPage.mediaKeys) urls.push({ ...link(before, short, photoPage.address), media_key });
  return { text: before + short, urls };
}

function link(before: string, url: string, expanded: string): XUrl {
  const start = [...before].length;
  const display = expanded.replace(/^https?:\/\/(www\.)?/, "");
  return {
    start,
    end: start + url.length,
    url,
    expanded_url: expanded,
    display_url: display.length > 27 ? `${display.slice(0, 26)}…` : display,
  };
}

function shortLink(id: string, position: number): string {
  const slug = createHash("sha256")
    .update(`${id}/${position}`)
    .digest("base64")
    .replace(/[^A-Za-z0-9]/g, "");
  return `https://t.co/${slug.slice(0, 10)}`;
}

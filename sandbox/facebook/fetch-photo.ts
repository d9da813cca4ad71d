import { type FetchedMedia, FetchFailure, fetchMedia } from "../core/fetch-media";
import { lookAt } from "../core/look";
import { refusals } from "./errors";

const MB = 1_048_576;
const TYPES = ["image/jpeg", "image/png", "image/bmp", "image/gif", "image/tiff"];

const CRAWLER = { "user-agent": "facebookexternalhit/1.1" };

/**
 * Fetches a file as Meta's crawler does, where the host's robots.txt admits it, and none of Facebook's own.
 * @throws FetchFailure
 */
export async function crawl(url: string, maxBytes: number): Promise<FetchedMedia> {
  if (!URL.canParse(url) || /\.fbcdn\.net$/.test(new URL(url).hostname)) throw new FetchFailure("address");
  if (!(await isAdmitted(new URL(url)))) throw new FetchFailure("unreachable");
  return fetchMedia(url, maxBytes, "follow", CRAWLER);
}

/** Source: Page photos. */
export async function fetchPhoto(url: string): Promise<{ bytes: Uint8Array; type: string }> {
  const { bytes, contentType } = await crawl(url, 10 * MB).catch((error: unknown) => {
    throw error instanceof FetchFailure && error.reason === "too-large" ? refusals.image() : refusals.notFetched();
  });
  if (!contentType.startsWith("image/")) throw refusals.notFetched();
  return { bytes, type: await photoType(bytes) };
}

/** The type that the bytes are of, where photos may be of it. */
export async function photoType(bytes: Uint8Array): Promise<string> {
  const looked = await lookAt(bytes);
  if (bytes.length > 10 * MB || looked.kind !== "image" || !TYPES.includes(looked.type)) throw refusals.image();
  return looked.type;
}

/** What `robots.txt` says to `facebookexternalhit`, or else to everybody (RFC 9309, without its finer points). */
async function isAdmitted({ origin, pathname }: URL): Promise<boolean> {
  const answer = await fetch(new URL("/robots.txt", origin), { headers: CRAWLER }).catch(() => undefined);
  if (!answer?.ok || !answer.headers.get("content-type")?.startsWith("text/plain")) return true;
  const groups = (await answer.text()).split(/\n\s*\n/).map((group) => group.split("\n").map((line) => line.trim()));
  const of = (agent: string) =>
    groups.find((lines) => lines.some((line) => line.toLowerCase() === `user-agent: ${agent}`));
  const rules = of("facebookexternalhit") ?? of("*") ?? [];
  const denied = rules.flatMap((line) => /^disallow:\s*(\S+)/i.exec(line)?.[1] ?? []);
  return !denied.some((path) => pathname.startsWith(path));
}

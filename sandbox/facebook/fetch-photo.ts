import { fetchMedia } from "../core/fetch-media";
import { lookAt } from "../core/look";
import { refusals } from "./errors";

const MB = 1_048_576;
const TYPES = ["image/jpeg", "image/png", "image/bmp", "image/gif", "image/tiff"];

/** Source: Page photos. The file is fetched as Meta's crawler does, where the host's robots.txt admits it. */
export async function fetchPhoto(url: string): Promise<{ bytes: Uint8Array; type: string }> {
  if (!URL.canParse(url) || /\.fbcdn\.net$/.test(new URL(url).hostname)) throw refusals.notFetched();
  if (!(await isAdmitted(new URL(url)))) throw refusals.notFetched();
  const { bytes, contentType } = await fetchMedia(url, 10 * MB).catch(() => {
    throw refusals.notFetched();
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
  const headers = { "user-agent": "facebookexternalhit/1.1" };
  const answer = await fetch(new URL("/robots.txt", origin), { headers }).catch(() => undefined);
  if (!answer?.ok || !answer.headers.get("content-type")?.startsWith("text/plain")) return true;
  const groups = (await answer.text()).split(/\n\s*\n/).map((group) => group.split("\n").map((line) => line.trim()));
  const of = (agent: string) =>
    groups.find((lines) => lines.some((line) => line.toLowerCase() === `user-agent: ${agent}`));
  const rules = of("facebookexternalhit") ?? of("*") ?? [];
  const denied = rules.flatMap((line) => /^disallow:\s*(\S+)/i.exec(line)?.[1] ?? []);
  return !denied.some((path) => pathname.startsWith(path));
}

import { isLoopback, parseUrl } from "./consent";

export type FetchedMedia = { bytes: Uint8Array; contentType: string };

/** Why media could not be fetched. Each network maps `reason` to its own error. */
export class FetchError extends Error {
  constructor(readonly reason: "address" | "unreachable" | "too-large") {
    super(`The media could not be fetched: ${reason}`);
  }
}

/**
 * Fetches media from a caller's URL, as a network does.
 * @param redirect `manual` for networks that do not follow redirects
 * @param headers headers of the network's crawler
 * @throws FetchError
 */
export async function fetchMedia(
  address: string,
  maxBytes: number,
  redirect: "follow" | "manual" = "follow",
  headers: Record<string, string> = {},
): Promise<FetchedMedia> {
  if (!isMediaAddress(address)) throw new FetchError("address");
  const request = fetch(address, { redirect, headers, signal: AbortSignal.timeout(30_000) });
  const response = await request.catch(() => undefined);
  if (!response?.ok || !response.body) {
    await response?.body?.cancel(); // an unread body can end the process (ADR 61)
    throw new FetchError("unreachable");
  }
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new FetchError("unreachable");
    });
    if (done) break;
    sizeBytes += value.byteLength;
    if (sizeBytes > maxBytes) {
      void reader.cancel();
      throw new FetchError("too-large");
    }
    chunks.push(value);
  }
  return { bytes: Buffer.concat(chunks), contentType: response.headers.get("content-type") ?? "" };
}

/** Requires an ASCII `https` URL. `http` on this computer is accepted in its place. */
function isMediaAddress(address: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(address) || !parseUrl(address)) return false;
  const url = new URL(address);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

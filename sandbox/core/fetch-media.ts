import { isLoopback } from "./consent";

export type FetchedMedia = { bytes: Uint8Array; contentType: string };

/** Fetches what a caller gave by address, as a network does; `reason` tells which of its refusals applies. */
export class FetchFailure extends Error {
  constructor(readonly reason: "address" | "unreachable" | "too-large") {
    super(`The media could not be fetched: ${reason}`);
  }
}

/**
 * @param redirect `manual` where the network takes no address that redirects
 * @param headers what its crawler says of itself
 */
export async function fetchMedia(
  address: string,
  maxBytes: number,
  redirect: "follow" | "manual" = "follow",
  headers: Record<string, string> = {},
): Promise<FetchedMedia> {
  if (!isMediaAddress(address)) throw new FetchFailure("address");
  const asked = fetch(address, { redirect, headers, signal: AbortSignal.timeout(30_000) });
  const response = await asked.catch(() => undefined);
  if (!response?.ok || !response.body) throw new FetchFailure("unreachable");
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new FetchFailure("unreachable");
    });
    if (done) break;
    sizeBytes += value.byteLength;
    if (sizeBytes > maxBytes) {
      void reader.cancel();
      throw new FetchFailure("too-large");
    }
    chunks.push(value);
  }
  return { bytes: Buffer.concat(chunks), contentType: response.headers.get("content-type") ?? "" };
}

/** ASCII only, public `https`; `http` on this computer stands in for it. */
function isMediaAddress(address: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(address) || !URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

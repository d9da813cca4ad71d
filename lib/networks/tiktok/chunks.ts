/** developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide: 5 to 64 MB, valid for either definition of MB. */
const CHUNK_BYTES = 10_000_000;

export type Chunk = { first: number; last: number };

/** Splits a video into whole chunks; the last one includes the remainder, so it is the longest. */
export function planOf(sizeBytes: number): { chunkSize: number; chunks: Chunk[] } {
  const chunkSize = Math.min(sizeBytes, CHUNK_BYTES);
  const count = Math.floor(sizeBytes / chunkSize);
  const chunks = Array.from({ length: count }, (_, index) => ({
    first: index * chunkSize,
    last: index === count - 1 ? sizeBytes - 1 : (index + 1) * chunkSize - 1,
  }));
  return { chunkSize, chunks };
}

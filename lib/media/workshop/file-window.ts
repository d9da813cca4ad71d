import { open } from "node:fs/promises";

/** How much is read at a time. Headers of neighbouring boxes arrive together, so a file of tiny boxes takes few reads. */
const CHUNK_BYTES = 65_536;

/** A file whose headers are read in chunks. */
export type FileWindow = {
  readonly sizeBytes: number;
  /** Returns up to `count` bytes at a position: fewer at the end of the file. The bytes are valid until the next call. */
  read(at: number, count: number): Buffer | Promise<Buffer>;
};

/** Opens a file for reading headers, and closes it after `work`. */
export async function withFileWindow<T>(path: string, work: (file: FileWindow) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let start = 0;
    let held = 0;
    const holds = (at: number, count: number) => at >= start && Math.min(at + count, sizeBytes) <= start + held;
    const view = (at: number, count: number) => chunk.subarray(at - start, Math.min(at - start + count, held));
    return await work({
      sizeBytes,
      read(at, count) {
        // Without a promise where possible: waiting for one costs more than looking at the bytes.
        if (holds(at, count)) return view(at, count);
        return file.read(chunk, 0, CHUNK_BYTES, at).then(({ bytesRead }) => {
          [start, held] = [at, bytesRead];
          return view(at, count);
        });
      },
    });
  } finally {
    await file.close();
  }
}

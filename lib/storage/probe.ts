import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { discard, stageUndigested } from "./staged";
import type { Store } from "./store";

/**
 * Writes a small object to a store, reads it back and removes it. Returns why this failed, or undefined. If this process ends
 * in between, the object is removed like any upload that was never confirmed.
 */
export async function storeProblem(store: Store): Promise<string | undefined> {
  const name = `uploads/${randomUUID()}` as const;
  const written = randomUUID();
  try {
    const file = await stageUndigested(Readable.from([Buffer.from(written)]), 100);
    try {
      await store.put(name, file, "text/plain");
    } finally {
      await discard(file);
    }
    const found = await store.read(name);
    const read = found && (await new Response(found.stream()).text());
    await store.remove(name);
    return read === written ? undefined : "an object that was just written could not be read back";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

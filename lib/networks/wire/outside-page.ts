import { EgressError } from "../../http/egress-error";
import { guardedFetch } from "../../http/guarded-fetch";
import type { OutsideFile } from "../network";

const TOTAL_MS = 10_000;

/** Fetches a public address found in a post; returns undefined if it cannot be read. */
export async function readOutside(url: string, maxBytes: number): Promise<OutsideFile | undefined> {
  try {
    const { status, header, body, close } = await guardedFetch(url, { maxBytes, totalMs: TOTAL_MS });
    if (status !== 200) {
      close();
      return undefined;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { contentType: header("content-type")?.toLowerCase() ?? "", bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof EgressError) return undefined;
    throw error;
  }
}

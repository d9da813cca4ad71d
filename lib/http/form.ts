/** More than any form of ours holds. */
const MAX_BYTES = 65_536;
/** What is too large is still received up to here: to stop would cut the connection, and the answer could be lost with it. */
const HEARD_OUT_BYTES = 8 * 1_048_576;

/**
 * A posted form (application/x-www-form-urlencoded), counted while it is read. Undefined where the body is something else,
 * is too large, or holds what is not text (U+0000, broken UTF-8).
 */
export async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return undefined;
  const text = await readText(request, MAX_BYTES);
  if (text === undefined) return undefined;
  const form = new URLSearchParams(text);
  const values = [...form].flat();
  return values.some((value) => value.includes("\0") || value.includes("\ufffd")) ? undefined : form;
}

/** A body as text, with U+FFFD for what is not UTF-8; undefined where it is longer than `maxBytes`. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  return (await readBytes(request, maxBytes))?.toString("utf8");
}

/** A body's bytes; undefined where it is longer than `maxBytes`, of which no more than that is kept. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer | undefined> {
  // A declared length is one that the connection holds the sender to: nothing has to be counted on the way.
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= maxBytes) {
    const bytes = Buffer.from(await request.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size <= maxBytes) chunks.push(part.value);
    else if (size > HEARD_OUT_BYTES) {
      await reader?.cancel().catch(() => {});
      return undefined;
    }
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

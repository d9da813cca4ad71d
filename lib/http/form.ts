/** Larger than any of our forms. */
export const MAX_FORM_BYTES = 65_536;
/** A body that is too large is still received up to this size. To stop earlier would close the connection before the client reads the response. */
const MAX_DISCARDED_BYTES = 8 * 1_048_576;

/**
 * Reads a posted form (application/x-www-form-urlencoded) of at most 64 KiB. Returns undefined if the body has another type,
 * is too large, or contains U+0000 or invalid UTF-8.
 */
export async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return undefined;
  const text = await readText(request, MAX_FORM_BYTES);
  if (text === undefined) return undefined;
  const form = new URLSearchParams(text);
  const values = [...form].flat();
  return values.some((value) => value.includes("\0") || value.includes("\ufffd")) ? undefined : form;
}

/** Reads a body as text, with U+FFFD for invalid UTF-8. Returns undefined if it is longer than `maxBytes`. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  return (await readBytes(request, maxBytes))?.toString("utf8");
}

/** Reads a body. Returns undefined if it is longer than `maxBytes`. It never holds more than that in memory. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer | undefined> {
  // HTTP enforces a declared length, so the bytes need not be counted while they arrive.
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
    else if (size > MAX_DISCARDED_BYTES) {
      await reader?.cancel().catch(() => {});
      return undefined;
    }
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

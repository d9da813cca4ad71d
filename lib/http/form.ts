/** More than any form of ours holds. */
const MAX_BYTES = 65_536;

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

/** A body as text; undefined as soon as it turns out to be longer than `maxBytes`. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  // A declared length is one that the connection holds the sender to: nothing has to be counted on the way.
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > maxBytes) return undefined;
    const bytes = await request.arrayBuffer();
    return bytes.byteLength > maxBytes ? undefined : Buffer.from(bytes).toString("utf8");
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > maxBytes) {
      await reader?.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}

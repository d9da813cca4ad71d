import { randomUUID } from "node:crypto";
import { PlatformError } from "../errors";

/** A file embedded in a JSON body as Base64 (RFC 4648, section 4). */
export class Base64File {
  constructor(readonly file: FilePart) {}
}

/** Builds a JSON body that streams its files with a known length, so that no image is held in memory as text. */
export function jsonBody(value: object) {
  const files: FilePart[] = [];
  const mark = randomUUID();
  const text = JSON.stringify(value, (_, field: unknown) => (field instanceof Base64File ? put(field) : field));
  function put({ file }: Base64File): string {
    files.push(file);
    return mark;
  }

  const encoder = new TextEncoder();
  const pieces = text.split(mark).flatMap((part, index) => {
    const file = files[index];
    return file ? [encoder.encode(part), inBase64(file)] : [encoder.encode(part)];
  });
  const length = pieces.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.sizeBytes), 0);
  return {
    headers: { "content-type": "application/json", "content-length": String(length) },
    body: streamOf(pieces),
  };
}

function inBase64(file: FilePart): FilePart {
  const open = async () => (await file.open()).pipeThrough(base64());
  return { ...file, sizeBytes: 4 * Math.ceil(file.sizeBytes / 3), open };
}

/** Encodes each three bytes as four characters; remaining bytes wait for the next chunk. */
function base64(): TransformStream<Uint8Array, Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = Buffer.concat([rest, chunk]);
      const whole = bytes.length - (bytes.length % 3);
      rest = bytes.subarray(whole);
      if (whole > 0) controller.enqueue(Buffer.from(bytes.toString("base64", 0, whole)));
    },
    flush(controller) {
      if (rest.length > 0) controller.enqueue(Buffer.from(Buffer.from(rest).toString("base64")));
    },
  });
}

/** A file within a body; it is opened when the stream reaches it. */
export type FilePart = {
  filename: string;
  contentType: string;
  sizeBytes: number;
  open(): Promise<ReadableStream<Uint8Array>>;
};

/**
 * Builds a `multipart/form-data` body (RFC 7578) that streams its files with a known length, because some networks refuse
 * chunked bodies. Parts are sent in the given order; undefined ones are omitted.
 */
export function multipart(parts: { [name: string]: string | FilePart | undefined }) {
  const boundary = `carillon-${randomUUID()}`;
  const encoder = new TextEncoder();
  const pieces: (Uint8Array | FilePart)[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (part === undefined) continue;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`;
    if (typeof part === "string") pieces.push(encoder.encode(`${head}\r\n\r\n${part}\r\n`));
    else {
      const file = `; filename="${quoted(part.filename)}"\r\ncontent-type: ${part.contentType}\r\n\r\n`;
      pieces.push(encoder.encode(head + file), part, encoder.encode("\r\n"));
    }
  }
  pieces.push(encoder.encode(`--${boundary}--\r\n`));
  const length = pieces.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.sizeBytes), 0);
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": String(length) },
    body: streamOf(pieces),
  };
}

/** Escapes quotes and line breaks as browsers do (HTML standard, "multipart form data"). */
function quoted(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Concatenates pieces into one stream; each file is opened when the stream reaches it. */
function streamOf(pieces: (Uint8Array | FilePart)[]): ReadableStream<Uint8Array> {
  const chunks = read(pieces);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

async function* read(pieces: (Uint8Array | FilePart)[]): AsyncGenerator<Uint8Array, undefined> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      yield piece;
      continue;
    }
    yield* readFile(piece);
  }
}

/** If a file cannot be read, the request ends early. No network acts on an incomplete body, so nothing was sent. */
async function* readFile(file: FilePart): AsyncGenerator<Uint8Array, undefined> {
  const failed = () => new PlatformError("later", `The file ${file.filename} could not be read`, { refused: true });
  const reader = (await file.open().catch(() => Promise.reject(failed()))).getReader();
  const next = () => reader.read().catch(() => Promise.reject(failed()));
  try {
    for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

import { randomUUID } from "node:crypto";
import { type FilePart, streamOf } from "./multipart";

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

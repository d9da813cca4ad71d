import { CarillonError } from "./problems";
import type { Waiting } from "./wait";

export type UploadOptions = Pick<Waiting, "signal"> & {
  /** Default: the name of a `File`, or `file` with the ending of its type if it has one. */
  filename?: string | undefined;
  /** Called while bytes leave. A try that is repeated begins at 0. `totalBytes` of an import is known if the other server says it. */
  onProgress?: ((progress: { bytes: number; totalBytes?: number }) => void) | undefined;
};

/**
 * A Blob would be made of anything else too, such as of the text “[object ReadableStream]”. Not `instanceof`: test programs such as
 * Jest have second classes.
 */
export function assertFile(file: unknown, isBlobNeeded = false): void {
  const kind = Object.prototype.toString.call(file);
  const isBytes = ArrayBuffer.isView(file) || kind === "[object ArrayBuffer]";
  if (/^\[object (Blob|File)]$/.test(kind) || (isBytes && !isBlobNeeded)) return;
  throw new CarillonError(
    `file must be a Blob${isBlobNeeded ? "" : " or bytes"}. In Node, fs.openAsBlob(path) returns one (from Node 20 on), and so do new Blob([await readFile(path)]) and new Response(stream).blob()`,
  );
}

/** The name of a file for which the caller gave none. */
export function nameOf(file: Blob | ArrayBuffer | Uint8Array, type = (file as Blob).type): string {
  return (file as File).name ?? (type ? `file.${type.split("/")[1]}` : "file");
}

/** Puts a file into a multipart body. Its bytes are not copied, so that large files need no memory. */
export function multipartOf(
  file: Blob | ArrayBuffer | Uint8Array,
  filename = nameOf(file),
): { body: Blob; contentType: string } {
  // The encoding of names in "multipart/form-data" (HTML standard).
  const escaped = filename.replace(/\r\n|\r|\n/g, "%0D%0A").replace(/"/g, "%22");
  const boundary = `carillon-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const type = (file as Blob).type || "application/octet-stream";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${escaped}"\r\ncontent-type: ${type}\r\n\r\n`;
  const body = new Blob([head, file as BlobPart, `\r\n--${boundary}--\r\n`]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

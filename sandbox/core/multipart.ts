import type { Call } from "./network";

/** `name` and `filename` are those of the content disposition; `type` is the media type in lower case. */
export type Part = { name?: string; filename?: string; type?: string; bytes: Uint8Array };

const LINE_END = "\r\n";

/**
 * Reads a multipart body as networks do, which is more tolerant than `FormData`: clients write header names in any case, leave out
 * spaces and quotes, send files without a name, and use `multipart/related`. Undefined for other bodies and broken ones.
 */
export async function readParts(call: Call): Promise<Part[] | undefined> {
  const boundary = /^multipart\/[\w-]+\s*;.*\bboundary="?([^";]+)"?/i.exec(call.req.header("content-type") ?? "")?.[1];
  if (boundary === undefined) return undefined;
  // The first delimiter has no line end before it.
  const body = Buffer.concat([Buffer.from(LINE_END), Buffer.from(await call.req.arrayBuffer())]);
  const delimiter = `${LINE_END}--${boundary}`;
  const parts: Part[] = [];
  for (let at = body.indexOf(delimiter); at !== -1; ) {
    const start = at + delimiter.length;
    if (body.subarray(start, start + 2).toString() === "--") return parts;
    const next = body.indexOf(delimiter, start);
    if (next === -1) return undefined;
    parts.push(partOf(body.subarray(start, next)));
    at = next;
  }
  return undefined;
}

function partOf(written: Buffer): Part {
  const end = written.indexOf(LINE_END + LINE_END);
  const headers = written.subarray(0, end).toString().split(LINE_END);
  const header = (name: string) =>
    headers.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1) ?? "";
  const parameter = (name: string) => {
    const [, quoted, plain] =
      new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;]*))`, "i").exec(header("content-disposition")) ?? [];
    return (quoted ?? plain)?.trim().replaceAll("%22", '"');
  };
  const type = header("content-type").split(";")[0]?.trim().toLowerCase();
  return {
    name: parameter("name"),
    filename: parameter("filename"),
    ...(type ? { type } : {}),
    bytes: new Uint8Array(written.subarray(end + 2 * LINE_END.length)),
  };
}

/** A part with a file name or with a type other than text is a file. */
export function isFile({ filename, type = "text/plain" }: Part): boolean {
  return filename !== undefined || !type.startsWith("text/");
}

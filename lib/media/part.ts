import type { Readable } from "node:stream";
import busboy from "busboy";
import { BadRequest } from "../errors";
import { bodyOf } from "../http/incoming";
import { discard, type Pace, SlowSender, type Staged } from "../storage";
import { receive } from "./keep";
import { MAX_BYTES, tooLarge } from "./size";

/** What a multipart body may hold besides the file. */
const MAX_AROUND = 65_536;

/** The part named `file` of a multipart body, received. */
export type Part = { file: Staged; filename: string };

/**
 * Receives the part named `file`; whatever goes wrong, nothing of it is left.
 * @throws BadRequest for another body, without that part or with two; TooLarge above 100 MB
 */
export async function receivePart(request: Request, pace: Pace): Promise<Part> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > MAX_BYTES + MAX_AROUND) throw tooLarge();
  const type = request.headers.get("content-type") ?? "";
  const isForm = type.toLowerCase().startsWith("multipart/form-data");
  const parser = isForm ? parserOf(type) : undefined;
  const body = parser && bodyOf(request);
  if (!body) throw new BadRequest("file cannot be null: send multipart/form-data with one part named file");
  const part = await parse(body, parser, pace);
  if (part.file.sizeBytes > 0) return part;
  await discard(part.file);
  throw new BadRequest("file is empty");
}

/** @throws BadRequest where the type names no boundary */
function parserOf(type: string): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": type },
      limits: { files: 2, fields: 20, fieldSize: 1024 },
      defParamCharset: "utf8",
    });
  } catch {
    throw new BadRequest("file cannot be read: Content-Type names no boundary");
  }
}

function parse(body: Readable, parser: busboy.Busboy, pace: Pace): Promise<Part> {
  return new Promise((resolve, reject) => {
    let part: Promise<Part> | undefined;
    let failed = false;
    const fail = (error: unknown) => {
      if (failed) return;
      failed = true;
      body.unpipe(parser);
      body.resume(); // let the client finish sending, so that it can read the answer
      parser.destroy(); // and with it the file's stream, so that its writing ends
      const refuse = () => reject(error);
      // What is still being written cannot be removed; what is written already has no taker.
      (part ?? Promise.resolve(undefined)).then((done) => done && discard(done.file)).then(refuse, refuse);
    };
    parser.on("file", (name, stream, info) => {
      stream.on("error", () => {}); // the parser's own; without a listener of the file's it would end the process
      if (name !== "file" || part) {
        stream.resume();
        if (part) fail(new BadRequest("file is given twice: send one file a request"));
        return;
      }
      part = receive(stream, pace).then((file) => ({ file, filename: info.filename ?? "" }));
      part.catch((error) => fail(error instanceof SlowSender ? tooSlow() : error));
    });
    parser.on("error", () => fail(new BadRequest("file cannot be read: the multipart body is not complete")));
    parser.on("close", () => {
      if (failed) return;
      if (part) part.then(resolve, reject);
      else reject(new BadRequest("file cannot be null: the body has no part of that name"));
    });
    body.on("error", () => fail(new BadRequest("file cannot be read: the connection was cut")));
    body.pipe(parser);
  });
}

export const tooSlow = () => new BadRequest("file cannot be read: it is being sent too slowly");

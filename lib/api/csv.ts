import { ApiError, TooLarge } from "../errors";
import { readBytes } from "../http/form";

const MAX_BYTES = 2 * 1_048_576;

/**
 * The bytes of a body in text/csv (RFC 7111), at most 2 MB; whether they are CSV is for whoever reads them.
 * @throws ApiError (415) for another type, or a charset that is not UTF-8; TooLarge
 */
export async function readCsv(request: Request): Promise<Buffer> {
  const [type, ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  if (type?.trim() !== "text/csv") throw new ApiError(415, "Content-Type must be text/csv");
  const charset = parameters.map((one) => /^\s*charset="?([^"]*)"?\s*$/.exec(one)?.[1]).find(Boolean);
  if (charset && charset !== "utf-8" && charset !== "utf8") {
    throw new ApiError(415, `The charset must be utf-8, not ${charset}`);
  }
  const bytes = await readBytes(request, MAX_BYTES);
  if (bytes === undefined) throw new TooLarge("The file", "2 MB");
  return bytes;
}

/** Text that is made while it is sent, as a file to keep. A failure on the way cuts the connection, so that no part looks whole. */
export function csvFile(name: string, text: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await text.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await text.return(undefined);
    },
  });
  const headers = {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}"`,
  };
  return new Response(body, { headers });
}

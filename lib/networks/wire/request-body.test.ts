import { expect, test } from "vitest";
import { Base64File, jsonBody } from "./request-body";

/** A file that is read in chunks of these sizes. */
function fileOf(...sizes: number[]) {
  const bytes = Buffer.from(Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, n) => n % 256));
  const open = async () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        let from = 0;
        for (const size of sizes) {
          controller.enqueue(bytes.subarray(from, from + size));
          from += size;
        }
        controller.close();
      },
    });
  return { bytes, file: { filename: "a", contentType: "image/jpeg", sizeBytes: bytes.length, open } };
}

test.each([[[3, 3]], [[1, 1, 1, 1]], [[2, 5, 7, 1000]], [[4]], [[5]]])(
  "embeds a file read in chunks of %j bytes",
  async (sizes) => {
    const { bytes, file } = fileOf(...sizes);
    const { headers, body } = jsonBody({ a: 'say "é"', items: [{ data: new Base64File(file) }], last: null });
    const text = await new Response(body).text();
    expect(JSON.parse(text)).toEqual({ a: 'say "é"', items: [{ data: bytes.toString("base64") }], last: null });
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  },
);

test("embeds several files in their places, or none", async () => {
  const [one, two] = [fileOf(10), fileOf(20)];
  const { body } = jsonBody({ first: new Base64File(one.file), second: new Base64File(two.file) });
  expect(await new Response(body).json()).toEqual({
    first: one.bytes.toString("base64"),
    second: two.bytes.toString("base64"),
  });
  expect(await new Response(jsonBody({ a: 1 }).body).json()).toEqual({ a: 1 });
});

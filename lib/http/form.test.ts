import { expect, test } from "vitest";
import { readForm, readText } from "./form";

const FORM = "application/x-www-form-urlencoded";
const post = (body: BodyInit | null, type?: string) =>
  new Request("http://localhost/", {
    method: "POST",
    body,
    headers: type === undefined ? {} : { "content-type": type },
  });

/** A body that arrives in pieces without a declared length; `taken` counts the pieces that were read. */
function pieces(piece: Uint8Array, count: number) {
  const state = { taken: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.taken >= count) return controller.close();
        state.taken += 1;
        controller.enqueue(piece);
      },
      cancel() {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body: stream,
    headers: { "content-type": FORM },
    duplex: "half",
  };
  return { request: new Request("http://localhost/", init), state };
}

test.each<[what: string, body: string | Uint8Array<ArrayBuffer> | null, type: string, fields: [string, string][]]>([
  [
    "fields, in their order",
    "a=1&b=2&a=3",
    FORM,
    [
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
    ],
  ],
  ["a type in capitals, with a charset", "a=1", "Application/X-WWW-Form-Urlencoded; charset=UTF-8", [["a", "1"]]],
  ["escapes and plus signs", "a=%C3%A4+b%26%3D", FORM, [["a", "ä b&="]]],
  ["UTF-8 that is not escaped", "a=ä🦊", FORM, [["a", "ä🦊"]]],
  [
    "a field without a value, and one without a name",
    "a&=b",
    FORM,
    [
      ["a", ""],
      ["", "b"],
    ],
  ],
  ["an empty body", "", FORM, []],
  ["no body", null, FORM, []],
  ["exactly the maximum size", `a=${"x".repeat(65_534)}`, FORM, [["a", "x".repeat(65_534)]]],
])("reads a form with %s", async (_, body, type, fields) => {
  expect([...((await readForm(post(body, type))) ?? [["rejected", ""]])]).toEqual(fields);
});

test.each<[what: string, body: BodyInit, type?: string]>([
  ["a body of another type", '{"a":"1"}', "application/json"],
  ["a body whose type only begins like that of a form", "a=1", `${FORM}x`],
  ["a body without a type", new Uint8Array([97, 61, 49])],
  [
    "a multipart body",
    (() => {
      const form = new FormData();
      form.set("a", "1");
      return form;
    })(),
  ],
  ["one byte too many", `a=${"x".repeat(65_535)}`, FORM],
  ["too many bytes, but not too many characters", `a=${"ä".repeat(32_768)}`, FORM],
  ["U+0000 in a value", "a=b%00c", FORM],
  ["U+0000 in a name", "a%00=b", FORM],
  ["U+0000 that is not escaped", "a=b\0c", FORM],
  ["escapes that are not UTF-8", "a=%ff%fe", FORM],
  ["bytes that are not UTF-8", new Uint8Array([97, 61, 0xff]), FORM],
  ["an incomplete character", "a=%C3", FORM],
])("rejects %s", async (_, body, type) => {
  expect(await readForm(post(body, type))).toBeUndefined();
});

test("reads a body that is too large to its end, so that the sender can read the answer", async () => {
  const { request, state } = pieces(new Uint8Array(4_096).fill(97), 1_000);
  expect(await readForm(request)).toBeUndefined();
  expect(state).toEqual({ taken: 1_000, cancelled: false });
});

test("stops reading an endless body after 8 MB", async () => {
  const { request, state } = pieces(new Uint8Array(1_048_576).fill(97), 1_000);
  expect(await readForm(request)).toBeUndefined();
  expect(state).toEqual({ taken: 9, cancelled: true });
});

test("decodes a character that is split between two pieces", async () => {
  const [first, second] = [new Uint8Array([0xc3]), new Uint8Array([0xa4])];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of [first, second]) controller.enqueue(piece);
      controller.close();
    },
  });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  expect(await readText(new Request("http://localhost/", init), 2)).toBe("ä");
});

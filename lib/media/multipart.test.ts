import { describe, expect, test } from "vitest";
import { boundaryOf, MultipartProblem, multipartReader, type PartHead } from "./multipart";

type Seen = { head: PartHead; bytes: Buffer };

/** Reads a body that arrives in chunks of this size. */
function read(body: Buffer | string, size: number, boundary = "b"): { parts: Seen[]; isComplete: boolean } {
  const parts: Seen[] = [];
  const reader = multipartReader(boundary, {
    begin: (head) => void parts.push({ head, bytes: Buffer.alloc(0) }),
    data(bytes) {
      const part = parts.at(-1);
      if (part) part.bytes = Buffer.concat([part.bytes, bytes]);
      return undefined;
    },
  });
  const whole = Buffer.from(body);
  for (let at = 0; at < whole.length; at += size) reader.write(whole.subarray(at, at + size));
  return { parts, isComplete: reader.isComplete() };
}

const DISPOSITION = "Content-Disposition: form-data;";
const part = (head: string, content: string) => `--b\r\n${head}\r\n\r\n${content}\r\n`;
const file = (content: string) => part(`${DISPOSITION} name="file"; filename="a.jpg"`, content);

/** Bytes that look like the end but are not: parts of the delimiter, repeated line breaks, other boundaries. */
const TRICKY = "\r\n--\r\n--\r\r\n\r\n-b\r\n- -b--\r\n--B\r\n--a\0\r";

describe("a part's bytes arrive unchanged for any chunk size", () => {
  test.each([1, 2, 3, 5, 7, 64, 65_536])("in pieces of %i", (size) => {
    const body = `preamble\r\n${part(`${DISPOSITION} name="note"`, "hello")}${file(TRICKY)}${file("")}--b--\r\nepilogue\r\n--b`;
    const { parts, isComplete } = read(body, size);
    expect(isComplete).toBe(true);
    expect(parts.map(({ head, bytes }) => [head.name, head.filename, bytes.toString()])).toEqual([
      ["note", undefined, "hello"],
      ["file", "a.jpg", TRICKY],
      ["file", "a.jpg", ""],
    ]);
  });

  test("a large chunk is passed on without copying", () => {
    const piece = Buffer.alloc(1_048_576, 7);
    let handed: Buffer | undefined;
    const reader = multipartReader("b", {
      begin: () => {},
      data(bytes) {
        handed = bytes;
        return undefined;
      },
    });
    reader.write(Buffer.from(file("").slice(0, -2)));
    reader.write(piece);
    expect(handed?.buffer).toBe(piece.buffer);
  });
});

describe("the head of a part", () => {
  test.each<[disposition: string, head: PartHead]>([
    [`name="file"; filename="a b.jpg"`, { name: "file", filename: "a b.jpg" }],
    ["name=file; filename=a.jpg", { name: "file", filename: "a.jpg" }],
    [`name="file"; filename="žluťoučký 🐎.jpg"`, { name: "file", filename: "žluťoučký 🐎.jpg" }],
    [`name="file"; filename="say \\"hi\\"; name=\\"x\\".jpg"`, { name: "file", filename: 'say "hi"; name="x".jpg' }],
    [`filename="a.jpg"; name="file"`, { name: "file", filename: "a.jpg" }],
    [`name="file"; filename="x"; filename*=UTF-8''%C5%BElu%C5%A5.jpg`, { name: "file", filename: "žluť.jpg" }],
    [`name="file"; filename="x"; filename*=UTF-8''%ZZ`, { name: "file", filename: "x" }],
    [`name="file"`, { name: "file" }],
  ])("%s", (disposition, head) => {
    const { parts } = read(`${part(`Content-Type: image/jpeg\r\n${DISPOSITION} ${disposition}`, "x")}--b--`, 10_000);
    expect(parts.map((one) => one.head)).toEqual([head]);
  });
});

describe("rejects", () => {
  test.each<[what: string, body: string]>([
    ["a part without a name", `${part("Content-Type: image/jpeg", "x")}--b--`],
    ["a part without a head", "--b\r\n\r\nx\r\n--b--"],
    ["a part that says too much of itself", part(`${DISPOSITION} name="file"\r\nX: ${"x".repeat(20_000)}`, "x")],
    ["a boundary with something behind it", `--bcd\r\n${DISPOSITION} name="file"\r\n\r\nx\r\n--b--`],
  ])("%s", (_, body) => {
    for (const size of [1, 10_000]) expect(() => read(body, size)).toThrow(MultipartProblem);
  });

  test.each([
    ["nothing", ""],
    ["no boundary at all", "hello"],
    ["a body that ends in the middle of a file", file("hello")],
  ])("%s is incomplete", (_, body) => {
    expect(read(body, 3).isComplete).toBe(false);
  });
});

test.each([
  ["multipart/form-data; boundary=----WebKitFormBoundaryA1", "----WebKitFormBoundaryA1"],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', "a b"],
  ["multipart/form-data", undefined],
  ["multipart/form-data; boundary=", undefined],
  ["multipart/mixed; boundary=a", undefined],
])("the boundary of %s", (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});

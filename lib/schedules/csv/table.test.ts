import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadRequest } from "../../errors";
import { escapeCell, parseTable, unescapeCell } from "./table";

const bytes = (text: string) => Buffer.from(text, "utf8");
const rowsOf = async (text: string | Buffer) => {
  const rows = await parseTable(typeof text === "string" ? bytes(text) : text);
  return rows.map(({ number, cells }) => [number, Object.fromEntries(cells)]);
};

describe("reads", () => {
  const two = [
    [2, { text: "One", accounts: "42" }],
    [3, { text: "Two", accounts: "43" }],
  ];

  test.each([
    ["commas", "text,accounts\nOne,42\nTwo,43\n"],
    ["semicolons, as Excel writes them in many countries", "text;accounts\r\nOne;42\r\nTwo;43\r\n"],
    ["tabs", "text\taccounts\rOne\t42\rTwo\t43"],
    ["a byte order mark", "\ufefftext,accounts\nOne,42\nTwo,43"],
    ["headings as people write them", '"Text","ACCOUNTS"\nOne,42\n"Two","43"'],
    ["columns without headings that are empty", "text,accounts,,\nOne,42,,\nTwo,43,,"],
    ["rows that are cut short", "text,accounts,media,settings\nOne,42\nTwo,43,"],
  ])("%s", async (_, text) => {
    expect(await rowsOf(text)).toEqual(two);
  });

  test("quotes, separators and line breaks within a cell", async () => {
    expect(await rowsOf('accounts;text\n"1; 2";"He said ""ding""\r\nthen; dong,\n"')).toEqual([
      [2, { accounts: "1; 2", text: 'He said "ding"\r\nthen; dong,\n' }],
    ]);
  });

  test("empty rows are skipped but counted in row numbers", async () => {
    expect((await rowsOf("text,accounts\n\n,\nOne,42\n")).map(([number]) => number)).toEqual([4]);
  });
});

describe("rejects with a precise message", () => {
  const latin = Buffer.from("text\nHello\nSchöne Grüße\n", "latin1");

  test.each<[string, string | Buffer, string]>([
    ["Windows-1252", latin, "The file is not UTF-8: line 3 contains characters in another encoding"],
    ["UTF-16 with a mark", Buffer.from("\ufefftext\na", "utf16le"), "The file is UTF-16"],
    ["UTF-16 without one", Buffer.from("text,accounts\na,b", "utf16le"), "The file is UTF-16"],
    ["a workbook", Buffer.from("PK\u0003\u0004rest"), "The file is an Excel workbook, not CSV in UTF-8"],
    ["U+0000", "text\na\nb\0", "The file contains a NUL character in line 3"],
    ["an unknown column", "text,acounts\na,b", "The file has an unknown column: acounts"],
    ["a repeated column", "text,Text\na,b", "The file has the column text twice"],
    ["60 unknown columns", `${"1,".repeat(59)}1\na`, "unknown column: 1; and 10 more; the columns are"],
    ["61 times one column", `${"text,".repeat(60)}text\na`, "text twice; and 10 more"],
    ["2 MB of columns", ",".repeat(2_000_000), "The file has more than 250 columns: the maximum is 250"],
    ["2 MB of columns in a later row", `text\n${",".repeat(2_000_000)}`, "The file has more than 250 columns"],
    ["a heading of 2 MB", "'".repeat(2_000_000), `The file has an unknown column: ${"'".repeat(100)}`],
    ["2 MB of rows", "a\n".repeat(1_000_000), "The file has more than 500 rows: the maximum is 500"],
    ["2 MB of empty rows", `text\na${"\n".repeat(2_000_000)}`, "The file has more than 5000 rows, with the empty ones"],
    ["no headings", "\n1,2", "The first row must contain column headings"],
    ["nothing at all", "", "The first row must contain column headings"],
    ["no rows", "text\n\n", "The file has no rows below its headings"],
    ["501 rows", `text\n${"a\n".repeat(501)}`, "The file has more than 500 rows: the maximum is 500"],
    ["a quote that is never closed", 'text\n"a\n', "The file is not CSV: a quoted cell is never closed"],
    [
      "what follows a closing quote",
      'text\n"a"b\n',
      "The file is not CSV: something follows the quote that closes a cell",
    ],
    ["a quote within a plain cell", 'text\na "b"\n', "The file is not CSV: there is a quote within an unquoted cell"],
  ])("%s", async (_, file, says) => {
    await expect(rowsOf(file)).rejects.toThrow(says);
  });

  test("500 rows are accepted", async () => {
    expect(await rowsOf(`text\n${"a\n".repeat(500)}`)).toHaveLength(500);
  });
});

describe("a formula", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "''-1"])(
    "%j is written with an apostrophe",
    async (value) => {
      const written = escapeCell(value);
      expect(written.slice(1, 2)).toBe("'");
      expect(await rowsOf(`text\n${written}\n`)).toEqual([[2, { text: value }]]);
    },
  );

  test.each(["a=1", "'a'", " =1", '"', "1;2"])("%j is written unchanged", async (value) => {
    expect(unescapeCell(value)).toBe(value);
    expect(await rowsOf(`text,accounts\n${escapeCell(value)},1\n`)).toEqual([[2, { text: value, accounts: "1" }]]);
  });
});

describe("any file", () => {
  test("is parsed, or rejected with a message", async () => {
    const pieces = fc.constantFrom(
      "text",
      "accounts",
      ",",
      ";",
      "\t",
      '"',
      "\n",
      "\r\n",
      "\r",
      "a",
      " ",
      "\ufeff",
      "é",
    );
    const texts = fc.array(pieces, { maxLength: 40 }).map((all) => Buffer.from(all.join("")));
    const anyBytes = fc.uint8Array({ maxLength: 80 }).map((all) => Buffer.from(all));
    await fc.assert(
      fc.asyncProperty(fc.oneof(texts, anyBytes), async (file) => {
        try {
          expect((await parseTable(file)).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(BadRequest);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("written values are read unchanged", async () => {
    const texts = fc
      .string({ unit: "grapheme", maxLength: 30 })
      .filter((text) => text.trim() !== "" && !text.includes("\0"));
    const odd = fc.array(fc.constantFrom("=", "'", '"', ",", ";", "\r", "\n", "\t", "-", "a"), { minLength: 1 });
    const values = fc.oneof(
      texts,
      odd.map((all) => `${all.join("")}.`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 5 }), async (all) => {
        const file = ["accounts,text", ...all.map((value) => `1,${escapeCell(value)}`)].join("\r\n");
        expect((await parseTable(bytes(file))).map(({ cells }) => cells.get("text"))).toEqual(all);
      }),
      { numRuns: 1_000 },
    );
  });
});

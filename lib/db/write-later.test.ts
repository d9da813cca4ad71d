import { expect, test } from "vitest";
import "../testing/database";
import { writeLater } from "./write-later";

test("many requests lead to one write; a failed write is not repeated and does not stop later ones", async () => {
  const written: string[] = [];
  let fails = false;
  const waiting: string[] = [];
  const writer = writeLater("the test's lines", 60_000, async () => {
    const lines = waiting.splice(0);
    if (fails) throw new Error("no database");
    written.push(lines.join(" "));
  });
  const add = (line: string) => {
    waiting.push(line);
    writer.request();
  };
  for (const line of ["one", "two", "three"]) add(line);
  await writer.flush();
  fails = true;
  add("lost");
  await writer.flush();
  fails = false;
  add("four");
  await writer.flush();
  expect(written).toEqual(["one two three", "four"]);
});

import { expect, test } from "vitest";
import { z } from "zod";
import { schemaProblems } from "./schema-problems";

const problemsOf = (schema: z.ZodType, value: unknown) =>
  schemaProblems(schema.safeParse(value).error?.issues ?? [], value);

test("lists 50 of 100,000 unknown fields, and the number of the others", () => {
  const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]));
  const problems = problemsOf(z.strictObject({}), value);
  expect(problems).toHaveLength(51);
  expect(problems[0]).toEqual({ path: "field0", message: "is not a field here", rule: "unknown_field" });
  expect(problems[50]).toEqual({
    path: "",
    message: "has 99950 more problems",
    rule: "problems.more",
    measured: 99_950,
  });
});

test("says that white space alone is not enough", () => {
  const schema = z.object({ name: z.string().trim().min(1), word: z.string().trim().min(1), code: z.string().min(2) });
  expect(
    problemsOf(schema, { name: " \n", word: "", code: " " }).map(({ path, message }) => `${path} ${message}`),
  ).toEqual([
    "name must have at least 1 character that is not white space",
    "word must have at least 1 character",
    "code must have at least 2 characters",
  ]);
});

test("compares the paths of 50,000 wrong entries in linear time", () => {
  const problems = problemsOf(z.array(z.string().min(1)), Array(50_000).fill(1));
  expect([problems.length, problems[0]?.path, problems[50]?.measured]).toEqual([51, "[0]", 49_950]);
});

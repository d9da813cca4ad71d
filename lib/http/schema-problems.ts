import type { z } from "zod";
import { capProblems, type Problem } from "../errors";

/**
 * Converts the issues of a schema to problems, one per field, at most 50 and the number of the others. `at` is the path of
 * the value.
 */
export function schemaProblems(issues: z.core.$ZodIssue[], value: unknown, at = ""): Problem[] {
  const mistyped = new Set<string>();
  const first = issues.filter((issue) => {
    const path = pathOf(issue.path);
    if (mistyped.has(path)) return false; // the length of a value of the wrong type, for example, does not matter
    if (issue.code === "invalid_type") mistyped.add(path);
    return true;
  });
  return capProblems(first.flatMap((issue) => problemsOf(issue, value, at)));
}

function problemsOf(issue: z.core.$ZodIssue, input: unknown, at: string): Problem[] {
  const path = pathOf(issue.path, at);
  const given = issue.path.reduce<unknown>(
    (value, key) => (value as { [key: PropertyKey]: unknown } | null)?.[key],
    input,
  );
  if (given === undefined || given === null) return [{ path, message: "cannot be null", rule: "required" }];
  switch (issue.code) {
    case "invalid_type":
      return [{ path, message: `must be ${withArticle(issue.expected)}`, rule: "type" }];
    case "invalid_union":
      return [{ path, message: "has a wrong type", rule: "type" }];
    case "invalid_value":
      return [{ path, message: `must be ${oneOf(issue.values)}`, rule: "choice", limit: issue.values.map(String) }];
    case "too_small": {
      const { origin, minimum } = issue;
      const isBlank = origin === "string" && Number(minimum) === 1 && given !== ""; // nothing is left without white space
      const what = `${unitOf(origin, minimum)}${isBlank ? " that is not white space" : ""}`;
      const message = `must ${verbOf(origin)} at least ${minimum}${what}`;
      return [{ path, message, rule: "too_small", limit: { min: Number(minimum) } }];
    }
    case "too_big": {
      const message = `must ${verbOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
      return [{ path, message, rule: "too_big", limit: { max: Number(issue.maximum) } }];
    }
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: pathOf([key], path),
        message: "is not a field here",
        rule: "unknown_field",
      }));
    default:
      return [{ path, message: `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`, rule: "invalid" }];
  }
}

/** A path like `publications[0].posts`, appended to `at`. */
function pathOf(path: PropertyKey[], at = ""): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}${text ? "." : ""}${String(key)}`),
    at,
  );
}

/** `A, B or C`. */
export function oneOf(values: readonly unknown[]): string {
  return values.join(", ").replace(/, ([^,]*)$/, " or $1");
}

function withArticle(type: string): string {
  const words: { [type: string]: string } = { int: "a whole number", number: "a number", record: "an object" };
  return words[type] ?? `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** A text or list "has" a length; a number "is" large. */
function verbOf(origin: string): string {
  return origin === "string" || origin === "array" ? "have" : "be";
}

function unitOf(origin: string, count: number | bigint): string {
  const one = Number(count) === 1;
  if (origin === "string") return one ? " character" : " characters";
  if (origin === "array") return one ? " entry" : " entries";
  return "";
}

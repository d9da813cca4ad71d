import type { z } from "zod";
import type { Problem } from "../errors";

/** Converts the issues of a schema to problems, one per field. `at` is the path of the value. */
export function schemaProblems(issues: z.core.$ZodIssue[], value: unknown, at = ""): Problem[] {
  return issues.filter(isFirstAtPath).flatMap((issue) => problemsOf(issue, value, at));
}

/** False for further issues of a value of the wrong type: its length, for example, does not matter then. */
function isFirstAtPath(issue: z.core.$ZodIssue, index: number, all: z.core.$ZodIssue[]): boolean {
  const at = pathOf(issue.path);
  return !all.slice(0, index).some((other) => other.code === "invalid_type" && pathOf(other.path) === at);
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
      const message = `must ${verbOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
      return [{ path, message, rule: "too_small", limit: { min: Number(issue.minimum) } }];
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

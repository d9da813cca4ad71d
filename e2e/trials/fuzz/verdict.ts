import type { Answer } from "../http";

/** The shapes of error responses, by kind of route. */
export type Kind = "api" | "oauth" | "page";

/** Internal details that no response may contain: stacks, SQL, paths in the code and on disk, internal addresses. */
const INSIDE = [
  /\n\s+at .+:\d+/,
  /node_modules|\.(ts|js|mjs):\d+/,
  /\b(select .+ from|insert into|update .+ set|delete from) /i,
  /violates|duplicate key|syntax error at|invalid input syntax|invalid byte sequence|out of range for type/i,
  /drizzle|graphile|pg_|postgres/i,
  /ECONN|ENOENT|ENOTFOUND|127\.0\.0\.1:\d|\/tmp\/|\/home\/|\/var\//,
  /TypeError|RangeError|SyntaxError|URIError|ZodError|is not a function|of undefined|of null/,
];

/** The problems of a response that do not depend on the request. */
export function problemsOf(kind: Kind, answer: Answer, method: string): string[] {
  const { status, headers, text } = answer;
  const problems: string[] = [];
  if (status >= 500) problems.push(`answered ${status}`);
  const inside = status < 400 ? undefined : INSIDE.find((pattern) => pattern.test(text));
  if (inside) problems.push(`tells something of the inside (${inside})`);
  if (kind === "page") return problems;
  if (!headers["x-request-id"] && status !== 429) problems.push("has no x-request-id");
  if (status < 400 || method === "HEAD" || status === 416) return problems;
  const wrong = shapeProblem(kind, status, text);
  if (wrong) problems.push(wrong);
  if (!/^application\/json\b/.test(headers["content-type"] ?? "")) problems.push("is not said to be JSON");
  return problems;
}

function shapeProblem(kind: Kind, status: number, text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  if (typeof body !== "object" || body === null) return "is not an object";
  const fields = Object.keys(body).sort().join();
  const allowed = kind === "oauth" && status !== 404 && status !== 405 ? ["error,error_description"] : ["error"];
  if (status === 429) allowed.push("message");
  if (!allowed.includes(fields)) return `has the fields ${fields}`;
  return Object.values(body).every((value) => typeof value === "string" && value !== "") ? undefined : "says nothing";
}

import type { Call } from "../core/network";

/** Query, form (of both kinds) or JSON, all as text: the Graph API takes parameters in any of them. */
export async function parametersOf(call: Call): Promise<Record<string, string>> {
  return { ...call.req.query(), ...(call.req.method === "GET" ? {} : await bodyParameters(call)) };
}

async function bodyParameters(call: Call): Promise<Record<string, string>> {
  const type = call.req.header("content-type") ?? "";
  if (type.startsWith("application/json")) {
    const body: Record<string, unknown> = await call.req.json().catch(() => ({}));
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
  }
  if (!type.startsWith("multipart/form-data") && !type.startsWith("application/x-www-form-urlencoded")) return {};
  const form = await call.req.parseBody();
  return Object.fromEntries(
    Object.entries(form).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

export function isTrue(value: string | undefined): boolean {
  return value === "true" || value === "1";
}

/** `["1","2"]`, `[1,2]` or `1,2`. */
export function listOf(value: string | undefined): string[] {
  // Ids may come as JSON numbers above 2^53, so the list is read as text.
  return (value ?? "")
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((item) => item.trim().replace(/^"|"$/g, ""))
    .filter(Boolean);
}

import { expect } from "vitest";

export type Operation = { op: "add" | "replace" | "remove"; path: string; value?: unknown };
export type Body = { [field: string]: unknown };

/** Applies a JSON Patch as any client does: the target must exist for every operation but `add` (RFC 6902, section 4). */
export function patched(body: Body, operations: Operation[]): Body {
  const copy = structuredClone(body);
  for (const { op, path, value } of operations) {
    const keys = path.slice(1).split("/");
    const last = keys.pop() ?? "";
    const parent = keys.reduce((at, key) => at[key] as Body, copy);
    if (op !== "add") expect(Object.keys(parent)).toContain(last);
    if (op === "remove") delete parent[last];
    else parent[last] = value;
  }
  return copy;
}

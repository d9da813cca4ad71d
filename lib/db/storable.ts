import { BadRequest } from "../errors";

const MAX_DEPTH = 32;

/** Refuses what PostgreSQL cannot store, wherever in a value it stands. */
export function checkValue(value: unknown, path = "", depth = 0): void {
  if (depth > MAX_DEPTH) throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === "string") assertStorable(value, path || "The body");
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    assertStorable(name, "A field's name");
    checkValue(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, depth + 1);
  }
}

function assertStorable(text: string, path: string): void {
  if (text.includes("\0") || !text.isWellFormed()) throw new BadRequest(`${path} holds a character that is not text`);
}

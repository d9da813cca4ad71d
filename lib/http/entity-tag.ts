import { createHash } from "node:crypto";

/**
 * The strong entity tag of an answer in JSON (RFC 9110 §8.8.3): another whenever anything that it says is. The same has to
 * be said in the same order.
 */
export function tagOf(body: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(body)).digest("base64url").slice(0, 22)}"`;
}

/**
 * Whether an `If-Match` allows what is there (RFC 9110 §13.1.1). The comparison is a strong one, so that a weak tag never
 * matches, nor does anything that is no tag.
 */
export function isNamed(ifMatch: string, tag: string): boolean {
  if (ifMatch.trim() === "*") return true;
  return [...ifMatch.matchAll(/(W\/)?("[^"]*")/g)].some(([, weak, quoted]) => !weak && quoted === tag);
}

import type { Call } from "../core/network";
import { graphRefusals } from "./refusal";

/** The `fields` parameter, `id` always among them; modifiers and sub-fields (`picture.width(1){url}`) reduced to the name. */
export function fieldsOf(call: Call, defaults: string[]): string[] {
  let asked = call.req.query("fields") ?? "";
  for (let before = ""; before !== asked; ) [before, asked] = [asked, asked.replace(/\{[^{}]*\}|\([^()]*\)/g, "")];
  const names = asked
    .split(",")
    .map((field) => field.trim().replace(/\..*$/, ""))
    .filter(Boolean);
  return names.length > 0 ? ["id", ...names] : defaults;
}

/** Only what was asked for; a name that the node does not have is refused, a value that is absent is left out. */
export function pick(node: Record<string, unknown>, fields: string[], type: string): Record<string, unknown> {
  const unknown = fields.find((field) => !Object.hasOwn(node, field));
  if (unknown) throw graphRefusals.noField(unknown, type);
  return Object.fromEntries(
    Object.entries(node).filter(([name, value]) => fields.includes(name) && value !== undefined),
  );
}

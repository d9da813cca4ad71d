import type { Call } from "../core/network";
import { refusals } from "./errors";

/** The `fields` parameter, with `children{…}` reduced to its name. */
export function fieldsOf(call: Call, defaults: string[]): string[] {
  const asked = (call.req.query("fields") ?? "")
    .replace(/\{[^}]*\}/g, "")
    .split(",")
    .map((field) => field.trim());
  return asked.filter(Boolean).length > 0 ? ["id", ...asked.filter(Boolean)] : defaults;
}

/** Only what was asked for; a name that the node does not have is refused, a value that is absent is left out. */
export function pick(node: Record<string, unknown>, fields: string[], type: string): Record<string, unknown> {
  const unknown = fields.find((field) => !Object.hasOwn(node, field));
  if (unknown) throw refusals.noField(unknown, type);
  return Object.fromEntries(
    Object.entries(node).filter(([name, value]) => fields.includes(name) && value !== undefined),
  );
}

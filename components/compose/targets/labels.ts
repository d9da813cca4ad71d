import type { NetworkFacts } from "../../networks/types";

/** Returns a field's label: the network's, the common one, or the readable name on the wire. */
export function labelOf(
  { settings, commonNames }: Pick<NetworkFacts, "settings" | "commonNames">,
  field: string,
): string {
  return settings.find(({ name }) => name === field)?.label ?? commonNames[field] ?? readableName(field);
}

/**
 * Makes a name on the wire readable: `publicationType` is "Publication type", `PUBLIC_TO_EVERYONE` "Public to
 * everyone".
 */
export function readableName(name: string): string {
  const apart = /[a-z]/.test(name) ? name.replace(/([a-z])([A-Z])/g, "$1 $2") : name.replaceAll("_", " ");
  const lower = apart.toLowerCase().replace(/\bai\b/g, "AI");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

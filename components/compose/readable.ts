/** `publicationType` and `PUBLIC_TO_EVERYONE` as a person reads them: "Publication type", "Public to everyone". */
export function readable(name: string): string {
  const apart = /[a-z]/.test(name) ? name.replace(/([a-z])([A-Z])/g, "$1 $2") : name.replaceAll("_", " ");
  const lower = apart.toLowerCase().replace(/\bai\b/g, "AI");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

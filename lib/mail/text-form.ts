import type { Footer } from "./html-form";
import type { Content } from "./kind";

/** The plain form: the same words, and every address written out. */
export function textForm({ heading, paragraphs, items = [], button, closing }: Content, footer: Footer): string {
  const list = items.map(({ name, says, href }) => `- ${name}: ${says}${href ? `\n  ${href}` : ""}`);
  const links = footer
    ? [`Unsubscribe from these: ${footer.unsubscribeUrl}`, `Choose what you get: ${footer.preferencesUrl}`]
    : [];
  return [
    heading,
    ...paragraphs,
    ...(list.length > 0 ? [list.join("\n")] : []),
    `${button.label}:\n${button.href}`,
    ["--", closing, ...links].join("\n"),
    "",
  ].join("\n\n");
}

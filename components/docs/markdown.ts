import { Marked } from "marked";
import { Html } from "../plain/page";

/** A heading of a page, with those below it. */
export type DocsLink = { href: string; label: string; within?: DocsLink[] };

/** Renders our own Markdown. Headings get IDs; code blocks and tables can be scrolled by keyboard. */
export function markdown(text: string): Html {
  return new Html(parser().parse(text, { async: false }));
}

/** Renders one line without a paragraph around it. */
export function inline(text: string): Html {
  return new Html(parser().parseInline(text, { async: false }));
}

/** The table of contents: second-level headings with their third-level headings. */
export function contentsOf(text: string): DocsLink[] {
  const links: DocsLink[] = [];
  for (const token of parser().lexer(text)) {
    if (token.type !== "heading") continue;
    const link = { href: `#${slug(token.text)}`, label: plain(token.text) };
    const last = links.at(-1);
    if (token.depth === 2) links.push(link);
    if (token.depth === 3 && last) last.within = [...(last.within ?? []), link];
  }
  return links;
}

/** The anchor of a heading. */
export function slug(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\w]+/g, "-")
    .replace(/^-|-$/g, "");
}

function plain(text: string): string {
  return text.replace(/[`*_]/g, "");
}

function parser(): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang }) {
        return code(text, lang).markup;
      },
    },
  });
}

/** A code block that can be scrolled by keyboard. */
export function code(text: string, language = "text"): Html {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return new Html(`<pre tabindex="0"><code class="language-${language.replace(/\W.*/, "")}">${escaped}</code></pre>\n`);
}

import { type Html, html } from "../plain/page";

/**
 * Syntax colours for the examples, without a library: all examples are our own, so a few expressions are enough. Each part gets
 * a class: `kc` comment, `ks` string, `kw` keyword, `kf` command, function or key. The text itself stays as it is.
 */
export function highlighted(code: string, language: string): Html {
  const pattern = Object.hasOwn(patterns, language) ? patterns[language] : undefined;
  if (!pattern) return html`${code}`;
  const parts: (string | Html)[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(pattern)) {
    const kind = KINDS.find((one) => groups[one] !== undefined);
    parts.push(code.slice(end, index), html`<span class="${kind}">${text}</span>`);
    end = index + text.length;
  }
  return html`${parts}${code.slice(end)}`;
}

const KINDS = ["kc", "ks", "kw", "kf"] as const;

const DOUBLE = String.raw`"(?:[^"\\\n]|\\.)*"`;
const FUNCTION = String.raw`\b[A-Za-z_]\w*(?=\()`;
const words = (all: string) => String.raw`\b(?:${all.replaceAll(" ", "|")})\b`;

/** The first of these that matches at a place wins. A string ends on its line, but not in the shell: a body in single quotes has many. */
function patternOf(parts: { [kind in (typeof KINDS)[number]]?: string }): RegExp {
  const groups = Object.entries(parts).map(([kind, part]) => `(?<${kind}>${part})`);
  return new RegExp(groups.join("|"), "gm");
}

const shell = patternOf({
  kc: String.raw`(?<=^|\s)#.*`,
  ks: String.raw`'[^']*'|"(?:[^"\\]|\\[^])*"`,
  kf: String.raw`^[ \t]*(?:[a-z][\w.-]*)(?= )|(?<=\| )[a-z]\w*`,
});

const script = patternOf({
  kc: String.raw`(?<=^|\s)//.*`,
  ks: String.raw`${DOUBLE}|'(?:[^'\\\n]|\\.)*'|${"`"}[^${"`"}]*${"`"}`,
  kw: words("import from const let new await async return if throw true false null"),
  kf: FUNCTION,
});

const patterns: { [language: string]: RegExp } = {
  curl: shell,
  sh: shell,
  node: script,
  js: script,
  ts: script,
  python: patternOf({
    kc: String.raw`(?<=^|\s)#.*`,
    ks: String.raw`\b[bf]${DOUBLE}|${DOUBLE}`,
    kw: words("import from as True False None"),
    kf: FUNCTION,
  }),
  json: patternOf({ kf: String.raw`${DOUBLE}(?=\s*:)`, ks: DOUBLE, kw: words("true false null") }),
};

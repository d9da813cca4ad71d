import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import { Html, html } from "../plain/page";

for (const [name, language] of Object.entries({ bash, javascript, json, python })) {
  hljs.registerLanguage(name, language);
}

/** The languages of our examples and guides, as highlight.js calls them. */
const LANGUAGES: { [language: string]: string } = {
  ...{
    curl: "bash",
    sh: "bash",
    node: "javascript",
    js: "javascript",
    ts: "javascript",
    python: "python",
    json: "json",
  },
};

/** Syntax colours: each coloured part gets a class of highlight.js, which escapes the text. An unknown language stays plain. */
export function highlighted(code: string, language: string): Html {
  const name = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  return name ? new Html(hljs.highlight(code, { language: name }).value) : html`${code}`;
}

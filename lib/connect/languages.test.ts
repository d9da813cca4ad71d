import { expect, test } from "vitest";
import { languageFor } from "./languages";

test.each<[when: string, asks: Parameters<typeof languageFor>[0], language: string]>([
  ["nothing is asked for", {}, "en"],
  ["the browser prefers German", { acceptLanguage: "de-AT,de;q=0.9,en;q=0.8" }, "de"],
  ["the browser prefers by weight, not by order", { acceptLanguage: "en;q=0.5, de;q=0.7" }, "de"],
  ["the browser refuses German", { acceptLanguage: "de;q=0, en;q=0.1" }, "en"],
  ["the browser's first choice is not spoken here", { acceptLanguage: "fr, de;q=0.5, en;q=0.4" }, "de"],
  ["the browser speaks none of ours", { acceptLanguage: "fr, it;q=0.5, *;q=0.1" }, "en"],
  ["the header is nonsense", { acceptLanguage: ";;q=,=de" }, "en"],
  ["the partner has chosen one", { partner: "de", acceptLanguage: "en" }, "de"],
  ["the link asks for one", { uiLocales: "en", partner: "de", acceptLanguage: "de" }, "en"],
  ["the link asks for several", { uiLocales: "fr-CA de-CH en" }, "de"],
  ["the link asks in capitals", { uiLocales: "DE" }, "de"],
  ["the link asks for none of ours", { uiLocales: "xx", partner: "de" }, "de"],
])("%s", (_, asks, language) => {
  expect(languageFor(asks)).toBe(language);
});

import { expect, test } from "vitest";
import { chooseLanguage } from "./languages";

test.each<[when: string, from: Parameters<typeof chooseLanguage>[0], language: string]>([
  ["no language is requested", {}, "en"],
  ["the browser prefers German", { acceptLanguage: "de-AT,de;q=0.9,en;q=0.8" }, "de"],
  ["the browser prefers by weight, not by order", { acceptLanguage: "en;q=0.5, de;q=0.7" }, "de"],
  ["the browser refuses German", { acceptLanguage: "de;q=0, en;q=0.1" }, "en"],
  ["the browser's first choice is not supported", { acceptLanguage: "fr, de;q=0.5, en;q=0.4" }, "de"],
  ["the browser accepts no supported language", { acceptLanguage: "fr, it;q=0.5, *;q=0.1" }, "en"],
  ["the header is malformed", { acceptLanguage: ";;q=,=de" }, "en"],
  ["the partner has set one", { partner: "de", acceptLanguage: "en" }, "de"],
  ["the link requests one", { uiLocales: "en", partner: "de", acceptLanguage: "de" }, "en"],
  ["the link requests several", { uiLocales: "fr-CA de-CH en" }, "de"],
  ["the link uses capital letters", { uiLocales: "DE" }, "de"],
  ["the link requests no supported language", { uiLocales: "xx", partner: "de" }, "de"],
])("%s", (_, from, language) => {
  expect(chooseLanguage(from)).toBe(language);
});

import type { PageLanguage } from "@/lib/partners";
import { de } from "./de";
import { en } from "./en";
import type { ConnectWords } from "./types";

export type { ConnectWords } from "./types";

const words: { [L in PageLanguage]: ConnectWords } = { en, de };

export function connectWordsIn(language: PageLanguage): ConnectWords {
  return words[language];
}

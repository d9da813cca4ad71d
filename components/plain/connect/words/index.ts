import type { Language } from "@/lib/partners";
import { de } from "./de";
import { en } from "./en";
import type { ConnectWords } from "./types";

export type { ConnectWords } from "./types";

const words: { [L in Language]: ConnectWords } = { en, de };

export function connectWordsIn(language: Language): ConnectWords {
  return words[language];
}

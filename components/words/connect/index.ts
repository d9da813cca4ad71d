import type { ConnectFailure } from "@/lib/connect";
import type { Language } from "@/lib/partners";
import { de } from "./de";
import { en } from "./en";

/** Whom a sentence speaks of: the network, and whoever the person came from. */
export type About = { network: string; partner: string };

export type FailureWords = {
  title: string;
  /** What happened and what it means for the person. */
  says: string;
  /** What to do where the page has a button to start again; absent where that would not help. */
  withRestart?: string;
  /** What to do where it has none. */
  without: string;
};

/** Everything that the connect pages say, in one language. A sentence that is missing does not compile. */
export type Words = {
  failures: { [F in ConnectFailure]: (about: About) => FailureWords };
  /** Stands for the network where it is not known which. */
  theNetwork: string;
  /** Stands for whoever the person came from, where that is not known. */
  whereFrom: string;
  startAgain: string;
  backTo(partner: string): string;
  backToAccounts: string;
  closeWindow: string;
  quoteCode(partner: string | undefined): string;
  /** Asked before a connect begins, where the partner wants that. */
  ask: {
    title(about: About): string;
    says(about: About): string;
    partner: string;
    user: string;
    warning(about: About): string;
    button(about: About): string;
    otherwise: string;
  };
  goOn: { title: string; says: string; button(partner: string | undefined): string };
};

const words: { [L in Language]: Words } = { en, de };

export function wordsIn(language: Language): Words {
  return words[language];
}

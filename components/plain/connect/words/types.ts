import type { ConnectFailure, FailurePage } from "@/lib/connect";

/**
 * The names in a sentence: the network, the partner or site that the person came from, and the accounts if the person chose
 * another one than the one to reconnect.
 */
export type About = { network: string; partner: string; other?: FailurePage["otherAccount"] };

type MissingPurpose = NonNullable<FailurePage["missing"]>[number]["purpose"];

type FailureWords = {
  title: string;
  /** What happened and what it means for the person. */
  explanation: string;
  /** What to do if the page has a button to start again; absent if starting again would not help. */
  withRestart?: string;
  /** What to do if it has no such button. */
  without: string;
};

/** All texts of the connect pages in one language. The type makes a missing text a compile error. */
export type ConnectWords = {
  failures: { [F in ConnectFailure]: (about: About) => FailureWords };
  /** Used if the network is unknown. */
  theNetwork: string;
  /** Used if the partner is unknown. */
  whereFrom: string;
  startAgain: string;
  /** The title of the list of missing permissions, and what each allows. */
  missing(count: number): string;
  purposes: { [P in MissingPurpose]: string };
  /** The two choices of a person who chose another account than the one to reconnect. */
  reconnect(account: string): string;
  add(account: string): string;
  backTo(partner: string): string;
  backToAccounts: string;
  closeWindow: string;
  quoteCode(partner: string | undefined): string;
  /** The confirmation page, shown if the partner requires it. */
  confirmation: {
    title(about: About): string;
    explanation(about: About): string;
    /** What the person can rely on, each with how. */
    promises(about: About): [promise: string, how: string][];
    partner: string;
    user: string;
    warning(about: About): string;
    button(about: About): string;
    otherwise: string;
  };
  redirect: { title: string; explanation: string; button(partner: string | undefined): string };
  /** The lists in a partner's page. */
  embedded: {
    /** Of both lists: the session has ended, and the service does not answer. */
    ended: string;
    failed: string;
    /** The script fills `{network}` and `{account}`. */
    accounts: {
      title: string;
      add: string;
      none: string;
      connectAgain: string;
      mustReconnect: string;
      underWay: string;
      blocked: string;
      closed: string;
      connected: string;
    };
    /** The script fills `{count}`, `{total}`, `{reason}`, `{time}` and `{status}`. */
    webhooks: {
      title: string;
      none: string;
      add: string;
      change: string;
      address: string;
      events: string;
      /** The line that opens the events of the form. */
      allEvents: string;
      someEvents: string;
      addIt: string;
      save: string;
      cancel: string;
      enterAddress: string;
      chooseEvent: string;
      on: string;
      off: string;
      offBecause: string;
      switchOn: string;
      switchOff: string;
      edit: string;
      newSecret: string;
      newSecretQuestion: string;
      remove: string;
      removeQuestion: string;
      keep: string;
      sendTest: string;
      testSent: string;
      secret: string;
      deliveries: string;
      noDeliveries: string;
      older: string;
      sendAgain: string;
      sending: string;
      delivered: string;
      gaveUp: string;
      retriedAt: string;
      answered: string;
      noAnswer: string;
      added: string;
      saved: string;
      removed: string;
    };
    /** The page at which a window of the list of accounts ends. */
    end: { title: string; closeWindow: string };
  };
};

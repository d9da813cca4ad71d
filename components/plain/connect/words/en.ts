import type { ConnectWords } from "./types";

export const en: ConnectWords = {
  failures: {
    denied: ({ network, partner }) => ({
      title: `${network} was not connected`,
      explanation: `You did not allow it on ${network}'s page. Nothing was saved.`,
      withRestart: "If that is what you wanted, there is nothing more to do. Otherwise start again.",
      without: `If that is what you wanted, there is nothing more to do. Otherwise go back to ${partner} and connect again.`,
    }),
    "missing permission": ({ network, partner }) => ({
      title: "A permission is missing",
      explanation: `Posting needs every permission that ${network} asks you for, and at least one was left out. Nothing was connected.`,
      withRestart: "Start again, and leave all of them ticked.",
      without: `Go back to ${partner}, connect again, and leave all of them ticked.`,
    }),
    network: ({ network, partner }) => ({
      title: `${network} did not answer as expected`,
      explanation: "Nothing was connected, and you did nothing wrong. The problem is usually temporary.",
      withRestart: "Wait a minute, then start again.",
      without: `Wait a minute, then go back to ${partner} and connect again.`,
    }),
    "account in use": ({ network, partner }) => ({
      title: "This account is connected elsewhere",
      explanation: `This ${network} account was already used by another user of this service, so it was not connected.`,
      withRestart: `Ask for it to be disconnected there first, or sign in to ${network} with another account and start again.`,
      without: `Ask for it to be disconnected there first, or sign in to ${network} with another account and connect again from ${partner}.`,
    }),
    "other account": ({ network, partner, other }) => ({
      title: "This is another account",
      explanation: `${network} has connected you as ${other?.found ?? "another account"}, not as ${other?.wanted ?? "the account to reconnect"}. Nothing was changed.`,
      withRestart: other?.isConnected
        ? `${other.found} is already connected. To reconnect ${other.wanted}, sign in to ${network} with that account.`
        : `To reconnect ${other?.wanted ?? "your account"}, sign in to ${network} with that account. Or add ${other?.found ?? "the other one"} as a new account.`,
      without: `Sign in to ${network} with the account that you want to reconnect, then go back to ${partner}.`,
    }),
    "wrong browser": ({ network, partner }) => ({
      title: "Open the link again in this browser",
      explanation: `You started connecting ${network} in another browser or app. For your safety, it can only be finished there.`,
      without: `Go back to ${partner} in this browser and connect again here.`,
    }),
    expired: ({ partner }) => ({
      title: "This link has expired",
      explanation:
        "A connect link works only once and only for a few minutes. Opening it now did not connect anything.",
      withRestart: "Start again to get a new one.",
      without: `Go back to ${partner} and connect again from there.`,
    }),
    suspended: ({ partner }) => ({
      title: "Connecting is switched off here",
      explanation: "No account can be connected with this link at the moment. Nothing was connected.",
      without: `Contact ${partner} to find out why.`,
    }),
    unavailable: ({ network, partner }) => ({
      title: `${network} cannot be connected here`,
      explanation: "It is not set up on this service. Nothing was connected.",
      without: `Go back to ${partner} and choose another network.`,
    }),
    fault: ({ partner }) => ({
      title: "Something went wrong on our side",
      explanation: "Nothing was connected, and you did nothing wrong. We have recorded the error.",
      withRestart: "Start again in a moment.",
      without: `Go back to ${partner} in a moment and connect again.`,
    }),
  },
  theNetwork: "The network",
  whereFrom: "the site you came from",
  startAgain: "Start again",
  reconnect: (account) => `Reconnect ${account}`,
  add: (account) => `Add ${account} as a new account`,
  backTo: (partner) => `Back to ${partner}`,
  backToAccounts: "Back to your accounts",
  closeWindow: "You can also close this window.",
  quoteCode: (partner) => `If you ask ${partner ?? "us"} for help, quote this code:`,
  confirmation: {
    title: ({ network }) => `Connect ${network}?`,
    explanation: ({ network, partner }) =>
      `${partner} will be able to post to the ${network} account that you choose next.`,
    promises: ({ network, partner }) => [
      [`${partner} never sees your password`, `You enter it on ${network}'s own page only.`],
      [`It posts what you publish with ${partner}`, "Nothing else is sent in your name."],
      ["You can disconnect at any time", `In ${partner}, or on ${network} itself.`],
    ],
    partner: "Service",
    user: "User",
    warning: ({ partner }) => `Continue only if you have just come from ${partner} and this user is you.`,
    button: ({ network }) => `Continue to ${network}`,
    otherwise: "Otherwise, close this page. Nothing has been connected.",
  },
  redirect: {
    title: "One more step",
    explanation: "Your browser did not continue automatically.",
    button: (partner) => (partner ? `Back to ${partner}` : "Continue"),
  },
  embedded: {
    title: "Connected accounts",
    add: "Add an account",
    none: "No account is connected yet.",
    connectAgain: "Connect again",
    mustReconnect: "Must be connected again",
    underWay: "Go on in the window that has opened to connect {network}.",
    blocked: "Your browser blocked the window for {network}. Allow windows for this page, then press the button again.",
    closed:
      "The window for {network} was closed before the end, so nothing is connected. If you still see it, finish there: this list will notice.",
    connected: "{account} on {network} is connected.",
    ended: "This list can no longer be used. Load the page again to go on.",
    failed: "Carillon did not answer. Check your connection, then load the page again.",
    end: { title: "You can close this window", closeWindow: "Go on in the page that you came from." },
  },
};

import type { Words } from ".";

export const en: Words = {
  failures: {
    denied: ({ network, partner }) => ({
      title: "You chose not to connect",
      says: `${network} was not connected, and nothing was kept.`,
      withRestart: "If that is what you wanted, there is nothing more to do. Otherwise start again.",
      without: `If that is what you wanted, there is nothing more to do. Otherwise go back to ${partner} and connect again.`,
    }),
    "missing permission": ({ network, partner }) => ({
      title: "A permission is missing",
      says: `Posting needs every permission that ${network} asks you for, and at least one was left out. Nothing was connected.`,
      withRestart: "Start again, and leave all of them ticked.",
      without: `Go back to ${partner}, connect again, and leave all of them ticked.`,
    }),
    network: ({ network, partner }) => ({
      title: `${network} did not answer as it should`,
      says: "Nothing was connected, and you did nothing wrong. This is usually over soon.",
      withRestart: "Wait a minute, then start again.",
      without: `Wait a minute, then go back to ${partner} and connect again.`,
    }),
    "account in use": ({ network, partner }) => ({
      title: "This account is connected elsewhere",
      says: `This ${network} account was already used by another user of this service, so it was not connected.`,
      withRestart: `Have it disconnected there first, or sign in to ${network} with another account and start again.`,
      without: `Have it disconnected there first, or sign in to ${network} with another account and connect again from ${partner}.`,
    }),
    "wrong browser": ({ network, partner }) => ({
      title: "Open the link again in this browser",
      says: `Connecting ${network} was begun in another browser or app, and for your safety it can only be finished there.`,
      without: `Go back to ${partner} in this browser and connect again here.`,
    }),
    expired: ({ partner }) => ({
      title: "This link is no longer good",
      says: "Connect links work once and for a few minutes. Nothing was connected by opening it now.",
      withRestart: "Start again to get a new one.",
      without: `Go back to ${partner} and connect again from there.`,
    }),
    suspended: ({ partner }) => ({
      title: "Connecting is switched off here",
      says: "At the moment no account can be connected by this link. Nothing was connected.",
      without: `Ask ${partner} why.`,
    }),
    unavailable: ({ network, partner }) => ({
      title: `${network} cannot be connected here`,
      says: "It is not set up on this service. Nothing was connected.",
      without: `Go back to ${partner} and choose another network.`,
    }),
    fault: ({ partner }) => ({
      title: "Something went wrong on our side",
      says: "Nothing was connected, and you did nothing wrong. We have taken note of it.",
      withRestart: "Start again in a moment.",
      without: `Go back to ${partner} in a moment and connect again.`,
    }),
  },
  theNetwork: "The network",
  whereFrom: "where you came from",
  startAgain: "Start again",
  backTo: (partner) => `Back to ${partner}`,
  backToAccounts: "Back to your accounts",
  closeWindow: "You can also close this window.",
  quoteCode: (partner) => `If you ask ${partner ?? "us"} for help, quote this code:`,
  ask: {
    title: ({ network }) => `Connect ${network}?`,
    says: ({ network, partner }) => `${partner} will be able to post to the ${network} account that you choose next.`,
    partner: "Service",
    user: "Its user",
    warning: ({ partner }) => `Continue only if you came from ${partner} just now, and this user is you.`,
    button: ({ network }) => `Continue to ${network}`,
    otherwise: "Otherwise close this page: nothing has been connected.",
  },
  goOn: {
    title: "One more step",
    says: "Your browser has not gone on by itself.",
    button: (partner) => (partner ? `Back to ${partner}` : "Continue"),
  },
};

import type { ConnectOutcome } from "@/lib/connect";

/** The texts of connecting an account in a window of its own. */
export const connectWindowWords = {
  showWindow: "Show the window",
  writePost: "New post",
  connectHere: (network: string) => `Connect ${network} here`,
  tryAgain: "Try again",

  blocked: (network: string) => `Your browser blocked the window for ${network}. You can continue in this page.`,
  connected: (network: string) => `${network} is connected.`,
  accountConnected: (account: string, network: string) => `${account} on ${network} is connected.`,
  closed: (network: string) =>
    `The window for ${network} was closed before the end, so nothing is connected. If you still see it, finish there: this page will notice.`,
  underWay: (network: string) => `Continue in the new window to connect ${network}.`,

  /** Why no account was connected. */
  ends: {
    denied: (network) => `${network} was not connected: you did not allow it there.`,
    "missing permission": (network) => `${network} was not connected: a permission that posting needs was left out.`,
    network: (network) => `${network} did not answer as it should. Wait a minute, then try again.`,
    "account in use": (network) => `This ${network} account was already used by another user of this service.`,
    "other account": (network) => `You chose another ${network} account than the one to reconnect.`,
    "wrong browser": (network) =>
      `${network} was not connected: it was finished in a different browser from the one where it started.`,
    unread: (network) => `${network} was not connected: the form could not be read.`,
    expired: (network) => `${network} was not connected: it took too long, or was done already.`,
    abandoned: (network) => `${network} was not connected: its page was not finished in time.`,
    suspended: (network) => `${network} was not connected: your account is suspended.`,
    unavailable: (network) => `${network} is not set up on this service.`,
    fault: (network) => `${network} was not connected: something went wrong on our side.`,
  } satisfies { [O in Exclude<ConnectOutcome, "connected" | "under way">]: (network: string) => string },
  /** One of these, with the code that identifies the attempt for support. */
  withCode: (end: string, code: string) => `${end} (code ${code})`,
} as const;

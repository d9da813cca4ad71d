/** What the dashboard says of a connect that goes on in a window of its own. */

import type { Outcome } from "@/lib/connect";

export const showWindow = "Show the window";
export const writePost = "Write a post";
export const connectHere = (network: string) => `Connect ${network} here`;
export const tryAgain = "Try again";

export const blocked = (network: string) =>
  `Your browser blocked the window for ${network}. You can go on in this page.`;
export const connected = (network: string) => `${network} is connected.`;
export const accountConnected = (username: string, network: string) => `@${username} on ${network} is connected.`;
export const closed = (network: string) =>
  `The window for ${network} was closed before the end, so nothing is connected. If you still see it, finish there: this page will notice.`;
export const underWay = (network: string) => `Go on in the window that has opened to connect ${network}.`;

/** Why nothing was connected. */
export const ends: { [O in Exclude<Outcome, "connected" | "under way">]: (network: string) => string } = {
  denied: (network) => `You chose not to connect ${network}.`,
  "missing permission": (network) => `${network} was not connected: a permission that posting needs was left out.`,
  network: (network) => `${network} did not answer as it should. Wait a minute, then try again.`,
  "account in use": (network) => `This ${network} account was already used by another user of this service.`,
  "wrong browser": (network) =>
    `${network} was not connected: it was finished in another browser than it was begun in.`,
  expired: (network) => `${network} was not connected: it took too long, or was done already.`,
  abandoned: (network) => `${network} was not connected: nobody came back from its page in time.`,
  suspended: (network) => `${network} was not connected: your account is suspended.`,
  unavailable: (network) => `${network} is not set up on this service.`,
  fault: (network) => `${network} was not connected: something went wrong on our side.`,
};
/** One of these with the code by which our own people find the attempt. */
export const withCode = (end: string, code: string) => `${end} (code ${code})`;

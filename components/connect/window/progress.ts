import type { Outcome } from "@/lib/connect";

/** What became of a link that the dashboard made, as its own address tells; nothing yet where it was not opened. */
export type Told =
  | { outcome: Outcome; code: string; account?: { id: number; username: string } }
  | { outcome: "not opened" };

/** Where a connect in a window of its own stands, and what is said about it. */
export type Progress = {
  tone: "good" | "wrong" | "warn" | "info";
  says: string;
  next: "write" | "again" | "show" | "here";
};

type Seen = { network: string; isBlocked: boolean; isClosed: boolean; told?: Told };

/** What a person is told on the page that opened the window. */
export function progressOf({ network, isBlocked, isClosed, told }: Seen): Progress {
  if (isBlocked) {
    return {
      tone: "warn",
      says: `Your browser blocked the window for ${network}. You can go on in this page.`,
      next: "here",
    };
  }
  const outcome = told?.outcome ?? "not opened";
  if (outcome === "connected") {
    const who =
      told && "account" in told && told.account ? `@${told.account.username.replace(/^@/, "")} on ${network}` : network;
    return { tone: "good", says: `${who} is connected.`, next: "write" };
  }
  if (outcome !== "under way" && outcome !== "not opened") {
    const code = told && "code" in told ? ` (code ${told.code})` : "";
    return { tone: outcome === "denied" ? "info" : "wrong", says: `${ENDS[outcome](network)}${code}`, next: "again" };
  }
  if (isClosed) {
    const says = `The window for ${network} was closed before the end, so nothing is connected. If you still see it, finish there: this page will notice.`;
    return { tone: "warn", says, next: "again" };
  }
  return { tone: "info", says: `Go on in the window that has opened to connect ${network}.`, next: "show" };
}

type End = Exclude<Outcome, "connected" | "under way">;

const ENDS: { [O in End]: (network: string) => string } = {
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

/** Whether nothing more will come of it. */
export function isOver(told: Told | undefined): boolean {
  return told !== undefined && told.outcome !== "under way" && told.outcome !== "not opened";
}

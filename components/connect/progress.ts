import type { ConnectOutcome } from "@/lib/connect";
import { connectWindowWords } from "./words";

/** What became of a link that the dashboard made, as its own address tells; nothing yet where it was not opened. */
export type Told =
  | { outcome: ConnectOutcome; code: string; account?: { id: number; username: string } }
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
  if (isBlocked) return { tone: "warn", says: connectWindowWords.blocked(network), next: "here" };
  const outcome = told?.outcome ?? "not opened";
  if (outcome === "connected") {
    const username = told && "account" in told ? told.account?.username.replace(/^@/, "") : undefined;
    const says =
      username === undefined
        ? connectWindowWords.connected(network)
        : connectWindowWords.accountConnected(username, network);
    return { tone: "good", says, next: "write" };
  }
  if (outcome !== "under way" && outcome !== "not opened") {
    const end = connectWindowWords.ends[outcome](network);
    const says = told && "code" in told ? connectWindowWords.withCode(end, told.code) : end;
    return { tone: outcome === "denied" ? "info" : "wrong", says, next: "again" };
  }
  if (isClosed) return { tone: "warn", says: connectWindowWords.closed(network), next: "again" };
  return { tone: "info", says: connectWindowWords.underWay(network), next: "show" };
}

/** Whether nothing more will come of it. */
export function isOver(told: Told | undefined): boolean {
  return told !== undefined && told.outcome !== "under way" && told.outcome !== "not opened";
}

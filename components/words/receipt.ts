/** What happened to a post on one account, attempt by attempt: its receipt. */
import type { Attempt } from "../api/types";

export const title = "What happened";
export const couldNotRead = (why: string) => `What happened could not be read: ${why}`;
export const outcomes: { [outcome in Attempt["outcome"]]: string } = {
  PUBLISHED: "Published",
  WAITING: "Waited",
  RETRYING: "Did not work",
  LOOKING: "Looked it up",
  FAILED: "Failed",
  UNKNOWN: "Outcome unknown",
};
/** More than once in a row, behind the outcome. */
export const times = (count: number) => `${count} times`;
/** `when`: "in 5 minutes" */
export const nextLook = (when: string) => `Next look ${when}.`;

export const answer = "What the network answered";
export const noAnswer = "No answer";
/** An HTTP status. */
export const status = (code: number) => `Status ${code}`;

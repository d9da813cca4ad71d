/** The points between two steps of publishing or of delivering webhooks at which a test can interrupt the process. */
export const failPoints = [
  "claimed",
  "opened",
  "prepared",
  "announced",
  "answered",
  "stored",
  "found",
  "settled",
  "refreshing",
  "refreshed",
  "addressed",
  "taken",
  "sent",
] as const;

export type FailPoint = (typeof failPoints)[number];

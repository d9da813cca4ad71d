/** The points of publishing, and of sending webhooks, at which a test can end, stop or break the engine; each lies between two steps. */
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

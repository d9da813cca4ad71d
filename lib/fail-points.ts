/** The points of publishing at which a test can end, stop or break the engine; each lies between two of its steps. */
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
] as const;

export type FailPoint = (typeof failPoints)[number];

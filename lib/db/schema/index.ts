/**
 * The tables. Times are instants with microseconds, read as text because a JavaScript Date would round them. IDs that the API
 * shows as numbers are identity columns; all others are UUIDs. Secrets are encrypted (`…_sealed`) or hashed (`…_hash`).
 */
export * from "./accounts";
export * from "./connect";
export * from "./events";
export * from "./installation";
export * from "./mail";
export * from "./media";
export * from "./oauth";
export * from "./people";
export * from "./publishing";
export * from "./schedules";

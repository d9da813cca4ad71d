/**
 * The tables. Times are instants with microseconds, read as text (a JavaScript Date would round them); ids that the API
 * shows as numbers are identity columns, the rest uuids. Secrets are sealed (`sealed`) or hashed (`…_hash`).
 */
export * from "./accounts";
export * from "./audit";
export * from "./connect";
export * from "./events";
export * from "./mail";
export * from "./media";
export * from "./oauth";
export * from "./partners";
export * from "./people";
export * from "./publishing";
export * from "./reviews";
export * from "./schedules";

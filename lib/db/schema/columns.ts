import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A transaction ID that is never reused (PostgreSQL's `xid8`), as text. */
export const transactionId = customType<{ data: string; driverData: string }>({ dataType: () => "xid8" });

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

export const createdAt = () => instant("created_at").notNull().defaultNow();

export const number = (name: string) => bigint(name, { mode: "number" });

export const identity = () => number("id").primaryKey().generatedAlwaysAsIdentity();

import { afterAll } from "vitest";
import { closeDatabase, openDatabase } from "../db";
import { env } from "../env";

/** Opens the run's database for a test file. */
openDatabase(env.databaseUrl ?? "", 10);
afterAll(closeDatabase);

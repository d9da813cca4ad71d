import { openDatabase } from "../db";
import { env } from "../env";

/** Opens the run's database for the test files of a process, which share it; it closes with the process. */
openDatabase(env.databaseUrl ?? "", 10);

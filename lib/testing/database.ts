import { openDatabase } from "../db";
import { env } from "../env";
import { setNextAuthUrl } from "../http/next-auth-url";

// The test files of a process share the database of the run. It closes with the process.
setNextAuthUrl();
openDatabase(env.databaseUrl ?? "", 10);

import { openDatabase } from "../db";
import { env } from "../env";
import { setNextAuthUrl } from "../http/next-auth-url";

// The test files of a process share the database of the run. It closes with the process. The machine may be busy with other
// tests, so the time limits are those of workers.
setNextAuthUrl();
openDatabase(env.databaseUrl ?? "", { directUrl: env.databaseDirectUrl, poolSize: 10, limits: "background" });

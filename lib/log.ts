import pino from "pino";
import { env } from "./env";
import { once } from "./once";

/** The process's log, JSON lines on standard error. Secrets never reach it: log ids and sentences, not bodies. */
export const log = once("log", () =>
  pino(
    {
      level: env.logLevel,
      base: { pid: process.pid },
      redact: { paths: ["*.authorization", "*.cookie", "*.password", "*.token"], censor: "(removed)" },
    },
    // Written together; what is left is written when the process ends, however it ends but by a signal that leaves no time.
    pino.destination({ dest: 2, sync: false, minLength: 8_192, periodicFlush: 200 }),
  ),
);

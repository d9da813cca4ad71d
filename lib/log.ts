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
    pino.destination({ dest: 2, sync: false }),
  ),
);

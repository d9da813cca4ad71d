import pino from "pino";
import { once } from "./db/per-process";
import { env } from "./env";

/** Written together; what is left is written when the process ends, however it ends but by a signal that leaves no time. */
const destination = once("log.destination", () =>
  pino.destination({ dest: 2, sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 200 }),
);

/** The process's log, JSON lines on standard error. Secrets never reach it: log ids and sentences, not bodies. */
export const log = once("log", () => {
  const paths = ["*.authorization", "*.cookie", "*.password", "*.token"];
  return pino({ level: env.logLevel, base: { pid: process.pid }, redact: { paths, censor: "(removed)" } }, destination);
});

type RequestLine = { requestId: string; method: string; path: string; status: number; ms: number };

const { info } = pino.levels.values;

/**
 * A line for each request, as `log.info` would write it. Its fields are these and hold no secret, so nothing has to be looked
 * for in them, and it is written at once: every request pays for it.
 */
export function logRequest(line: RequestLine): void {
  if (!log.isLevelEnabled("info")) return;
  destination.write(
    `${JSON.stringify({ level: info, time: Date.now(), pid: process.pid, ...line, msg: "request" })}\n`,
  );
}

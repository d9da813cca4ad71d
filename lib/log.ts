import pino from "pino";
import { perProcess } from "./db/per-process";
import { env } from "./env";

/** Lines are buffered. The rest is written when the process exits, unless it is killed with SIGKILL. */
const destination = perProcess("log.destination", () =>
  pino.destination({ dest: 2, sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 200 }),
);

/** The log of this process: JSON lines on standard error. Log IDs and sentences, not bodies, so that no secret is logged. */
export const log = perProcess("log", () => {
  const paths = ["*.authorization", "*.cookie", "*.password", "*.token"];
  return pino({ level: env.logLevel, base: { pid: process.pid }, redact: { paths, censor: "(removed)" } }, destination);
});

type RequestLine = { requestId: string; method: string; path: string; status: number; ms: number };

const { info } = pino.levels.values;

/**
 * Logs a request in the format of `log.info`. It skips the search for secrets, because these fields contain none and every
 * request pays for it.
 */
export function logRequest(line: RequestLine): void {
  if (!log.isLevelEnabled("info")) return;
  destination.write(
    `${JSON.stringify({ level: info, time: Date.now(), pid: process.pid, ...line, msg: "request" })}\n`,
  );
}

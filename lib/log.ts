import pino from "pino";
import { perProcess } from "./db/per-process";
import { env } from "./env";
import { currentTraceparent } from "./tracing";

/** Lines are buffered. The rest is written when the process exits, unless it is killed with SIGKILL. */
const destination = perProcess("log.destination", () =>
  pino.destination({ dest: 2, sync: false, minLength: 32_768, maxWrite: 65_536, periodicFlush: 200 }),
);

/** Lines about work that belongs to a trace name their place in it. */
function traceField(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** The log of this process: JSON lines on standard error. Log IDs and sentences, not bodies, so that no secret is logged. */
export const log = perProcess("log", () => {
  const paths = ["*.authorization", "*.cookie", "*.password", "*.token"];
  const redact = { paths, censor: "(removed)" };
  return pino({ level: env.logLevel, base: { pid: process.pid }, mixin: traceField, redact }, destination);
});

type RequestLine = { requestId: string; method: string; path: string; status: number; ms: number };

const { info } = pino.levels.values;

/**
 * Logs a request in the format of `log.info`. It skips the search for secrets, because every request pays for it, and of these
 * fields only the path of a calendar contains one.
 */
export function logRequest({ path, ...line }: RequestLine): void {
  if (!log.isLevelEnabled("info")) return;
  const fields = { ...line, path: withoutCalendar(path), ...traceField() };
  destination.write(
    `${JSON.stringify({ level: info, time: Date.now(), pid: process.pid, ...fields, msg: "request" })}\n`,
  );
}

/** Whoever knows the address of a person's calendar can read it (lib/schedules/calendar-address.ts). */
function withoutCalendar(path: string): string {
  return path.replace(/(\/calendars\/).*/i, "$1…");
}

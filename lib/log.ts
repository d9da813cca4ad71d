import pino from "pino";
import { env } from "./env";
import { once } from "./once";

/** Written together; what is left is written when the process ends, however it ends but by a signal that leaves no time. */
const destination = once("log.destination", () =>
  pino.destination({ dest: 2, sync: false, minLength: 8_192, periodicFlush: 200 }),
);

const options = { level: env.logLevel, base: { pid: process.pid } };

/** The process's log, JSON lines on standard error. Secrets never reach it: log ids and sentences, not bodies. */
export const log = once("log", () => {
  const paths = ["*.authorization", "*.cookie", "*.password", "*.token"];
  return pino({ ...options, redact: { paths, censor: "(removed)" } }, destination);
});

type RequestLine = { requestId: string; method: string; path: string; status: number; ms: number };

const requests = once("log.requests", () => pino(options, destination));

/** A line for each request; its fields are these and hold no secret, so that nothing has to be looked for in them. */
export function logRequest(line: RequestLine): void {
  requests.info(line, "request");
}

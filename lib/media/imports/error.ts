import { STATUS_CODES } from "node:http";
import { EgressError, type EgressFault } from "../../http/egress-error";
import type { GuardedAnswer } from "../../http/guarded-fetch";
import { UnusableFile } from "../file-errors";

/** Why an import does not go on, by DECISIONS' words; the message is shown and names no address. */
export class ImportError extends Error {
  constructor(
    readonly code: EgressFault | "UNSUPPORTED_TYPE" | "CORRUPT_FILE" | "STORAGE_FAILED",
    message: string,
    /** Whether another attempt would end the same way, and how long to wait where the server says so. */
    readonly again: { lasting: boolean; retryAfterSeconds?: number },
  ) {
    super(message);
    this.name = "ImportFault";
  }
}

/** Answers of a server that may be others later (RFC 9110, RFC 6585, RFC 8470). */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);

/** An answer that brings no file. */
export function statusError({ status, header }: GuardedAnswer, now = Date.now()): ImportError {
  const name = STATUS_CODES[status];
  const lasting = status < 500 && !TEMPORARY_STATUSES.has(status);
  const retryAfterSeconds = lasting ? undefined : secondsOf(header("retry-after"), now);
  return new ImportError("HTTP_STATUS", `the server answered ${status}${name ? ` (${name})` : ""}`, {
    lasting,
    retryAfterSeconds,
  });
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function secondsOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}

export const importTooLarge = () =>
  new ImportError("TOO_LARGE", "the file is too large: the maximum is 100 MB", { lasting: true });

/** What stopped an import, whatever threw it; `STORAGE_FAILED` where it is nothing that the server or the file did. */
export function importErrorOf(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  if (error instanceof EgressError && error.fault === "TOO_LARGE") return importTooLarge();
  if (error instanceof EgressError) return new ImportError(error.fault, error.message, { lasting: error.lasting });
  if (error instanceof UnusableFile) {
    const code = error.kind === "corrupt" ? "CORRUPT_FILE" : "UNSUPPORTED_TYPE";
    return new ImportError(code, `the ${error.message}`, { lasting: true });
  }
  return new ImportError("STORAGE_FAILED", "Carillon could not store the file", { lasting: false });
}

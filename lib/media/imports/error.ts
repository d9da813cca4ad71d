import { STATUS_CODES } from "node:http";
import { InsufficientStorage, QuotaExceeded } from "../../errors";
import { EgressError, type EgressFault } from "../../http/egress-error";
import type { GuardedAnswer } from "../../http/guarded-fetch";
import { storageErrorOf } from "../../storage";
import { UnusableFile } from "../file-errors";

/** Why an import failed, with a code from DECISIONS. The message is shown to users and contains no address. */
export class ImportError extends Error {
  constructor(
    readonly code: EgressFault | "UNSUPPORTED_TYPE" | "CORRUPT_FILE" | "STORAGE_FAILED",
    message: string,
    /** Whether another attempt would fail in the same way, and the server's Retry-After if it sent one. */
    readonly retry: { lasting: boolean; retryAfterSeconds?: number },
  ) {
    super(message);
    this.name = "ImportError";
  }
}

/** Statuses that can change later (RFC 9110, RFC 6585, RFC 8470). */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);

/** The error for a response without a file. */
export function statusError({ status, header }: GuardedAnswer, now = Date.now()): ImportError {
  const name = STATUS_CODES[status];
  const lasting = status < 500 && !TEMPORARY_STATUSES.has(status);
  const retryAfterSeconds = lasting ? undefined : secondsOf(header("retry-after"), now);
  return new ImportError("HTTP_STATUS", `the server answered ${status}${name ? ` (${name})` : ""}`, {
    lasting,
    retryAfterSeconds,
  });
}

/** Parses Retry-After: seconds, or a date (RFC 9110, section 10.2.3). */
function secondsOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}

export const importTooLarge = () =>
  new ImportError("TOO_LARGE", "the file is too large: the maximum is 100 MB", { lasting: true });

/** Converts any error to an ImportError. `STORAGE_FAILED` means that neither the server nor the file is the cause. */
export function importErrorOf(error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  if (error instanceof EgressError && error.fault === "TOO_LARGE") return importTooLarge();
  if (error instanceof EgressError) return new ImportError(error.fault, error.message, { lasting: error.lasting });
  if (error instanceof UnusableFile) {
    const code = error.kind === "corrupt" ? "CORRUPT_FILE" : "UNSUPPORTED_TYPE";
    return new ImportError(code, `the ${error.message}`, { lasting: true });
  }
  if (error instanceof QuotaExceeded) return new ImportError("STORAGE_FAILED", error.message, { lasting: true });
  if (storageErrorOf(error) instanceof InsufficientStorage)
    return new ImportError("STORAGE_FAILED", "the disk of the service is full", { lasting: false });
  return new ImportError("STORAGE_FAILED", "Carillon could not store the file", { lasting: false });
}

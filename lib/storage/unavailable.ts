/**
 * The bucket did not answer, or answered that it cannot work now. Another try may succeed. It has no cause, because the codes of
 * a broken connection would look like those of a lost database (`isDatabaseUnavailable`).
 */
export class StoreUnavailable extends Error {
  constructor(readonly reason: string) {
    super(`the store is unavailable: ${reason}`);
    this.name = "StoreUnavailable";
  }
}

/**
 * The bucket refuses us, is gone, or its certificate is not valid. Only the operator can end that, and nothing is wrong with the
 * file: the work waits, but a process does not start.
 */
export class StoreRefused extends StoreUnavailable {}

const REFUSED = /^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO_SELF|SELF_SIGNED|HOSTNAME_MISMATCH)/;
const NO_ANSWER = /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

/** Converts the error of a bucket that does not answer, answers with a 5xx or refuses us; any other error is returned unchanged. */
export function storeUnavailableOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const isUnavailable = NO_ANSWER.test(code) || error.name === "TimeoutError" || statusOf(error) >= 500;
  const isRefused = REFUSED.test(code) || error.name === "NoSuchBucket" || [401, 403].includes(statusOf(error));
  const reason = error.message || code || error.name;
  if (isRefused) return new StoreRefused(reason);
  return isUnavailable ? new StoreUnavailable(reason) : error;
}

/** The status of the SDK's error; 0 if there was no response. */
function statusOf(error: Error): number {
  const metadata: unknown = "$metadata" in error ? error.$metadata : undefined;
  const hasStatus = typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata;
  return hasStatus ? Number(metadata.httpStatusCode ?? 0) : 0;
}

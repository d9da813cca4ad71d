/**
 * The bucket did not answer, or answered that it cannot work now. Another try may succeed. It has no cause, because the codes of
 * a broken connection would look like those of a lost database (`isDatabaseUnavailable`).
 */
export class StoreUnavailable extends Error {
  constructor(reason: string) {
    super(`the store is unavailable: ${reason}`);
    this.name = "StoreUnavailable";
  }
}

const NO_ANSWER = /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

/** Converts the error of a bucket that does not answer or answers with a 5xx; any other error is returned unchanged. */
export function storeUnavailableOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  const isUnavailable = NO_ANSWER.test(code) || error.name === "TimeoutError" || statusOf(error) >= 500;
  return isUnavailable ? new StoreUnavailable(error.message || code) : error;
}

/** The status of the SDK's error; 0 if there was no response. */
function statusOf(error: Error): number {
  const metadata: unknown = "$metadata" in error ? error.$metadata : undefined;
  const hasStatus = typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata;
  return hasStatus ? Number(metadata.httpStatusCode ?? 0) : 0;
}

/** Why a call to a URL chosen by a caller failed. Import jobs show these codes. */
export type EgressFault =
  | "INVALID_URL"
  | "BLOCKED_ADDRESS"
  | "DNS_FAILURE"
  | "CONNECTION_FAILED"
  | "HTTP_STATUS"
  | "TIMEOUT"
  | "TOO_LARGE";

/** A call that was blocked or failed. The message can be shown to the caller, because it contains no address. */
export class EgressError extends Error {
  /** True if another call would fail in the same way. */
  readonly lasting: boolean;
  constructor(
    readonly fault: EgressFault,
    message: string,
    { lasting }: { lasting: boolean },
  ) {
    super(message);
    this.name = "EgressError";
    this.lasting = lasting;
  }
}

type Failure = Pick<EgressError, "fault" | "message" | "lasting">;
const failure = (fault: EgressFault, message: string, lasting = false): Failure => ({ fault, message, lasting });

const FAILURES: { [code: string]: Failure } = {
  ECONNREFUSED: failure("CONNECTION_FAILED", "the server refused the connection"),
  ECONNRESET: failure("CONNECTION_FAILED", "the server closed the connection"),
  EPIPE: failure("CONNECTION_FAILED", "the server closed the connection"),
  EHOSTUNREACH: failure("CONNECTION_FAILED", "the server cannot be reached"),
  ENETUNREACH: failure("CONNECTION_FAILED", "the server cannot be reached"),
  ETIMEDOUT: failure("TIMEOUT", "the server did not accept the connection in time"),
  HPE_HEADER_OVERFLOW: failure("CONNECTION_FAILED", "the server's answer is not valid HTTP", true),
  CERT_HAS_EXPIRED: failure("CONNECTION_FAILED", "the server's certificate has expired", true),
  ERR_TLS_CERT_ALTNAME_INVALID: failure("CONNECTION_FAILED", "the server's certificate is for another name", true),
  DEPTH_ZERO_SELF_SIGNED_CERT: failure("CONNECTION_FAILED", "the server's certificate is not trusted", true),
  SELF_SIGNED_CERT_IN_CHAIN: failure("CONNECTION_FAILED", "the server's certificate is not trusted", true),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: failure("CONNECTION_FAILED", "the server's certificate is not trusted", true),
};

/** Converts any error of a call to an EgressError, by the code of Node's error and never by its text. */
export function egressErrorOf(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { fault, message, lasting } =
    codesOf(error)
      .map((code) => FAILURES[code])
      .find((known) => known !== undefined) ?? failure("CONNECTION_FAILED", "the connection to the server failed");
  return new EgressError(fault, message, { lasting });
}

/** Returns the codes of an error, of its inner errors (one per address that was tried) and of its cause. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = "code" in error ? [String(error.code)] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...code, ...inner, ...codesOf(error.cause)];
}

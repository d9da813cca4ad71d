/** What can go wrong with a call to an address that somebody else chose; the words of DECISIONS ("Media"). */
export type EgressFault =
  | "INVALID_URL"
  | "BLOCKED_ADDRESS"
  | "DNS_FAILURE"
  | "CONNECTION_FAILED"
  | "HTTP_STATUS"
  | "TIMEOUT"
  | "TOO_LARGE";

/** A call that was refused or failed. The message can be shown: it names no address. */
export class EgressError extends Error {
  /** Whether calling again would end the same way. */
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

const WORDS: { [code: string]: Failure } = {
  ECONNREFUSED: failure("CONNECTION_FAILED", "the server refused the connection"),
  ECONNRESET: failure("CONNECTION_FAILED", "the server cut the connection"),
  EPIPE: failure("CONNECTION_FAILED", "the server cut the connection"),
  UND_ERR_SOCKET: failure("CONNECTION_FAILED", "the server cut the connection"),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: failure("CONNECTION_FAILED", "the server sent less or more than it announced"),
  EHOSTUNREACH: failure("CONNECTION_FAILED", "the server cannot be reached"),
  ENETUNREACH: failure("CONNECTION_FAILED", "the server cannot be reached"),
  ETIMEDOUT: failure("TIMEOUT", "the server did not take the connection in time"),
  UND_ERR_CONNECT_TIMEOUT: failure("TIMEOUT", "the server did not take the connection in time"),
  UND_ERR_HEADERS_TIMEOUT: failure("TIMEOUT", "the server did not begin to answer in time"),
  UND_ERR_BODY_TIMEOUT: failure("TIMEOUT", "the server stopped in the middle of its answer"),
  UND_ERR_HEADERS_OVERFLOW: failure("CONNECTION_FAILED", "the server's answer is not readable HTTP", true),
  CERT_HAS_EXPIRED: failure("CONNECTION_FAILED", "the server's certificate has expired", true),
  ERR_TLS_CERT_ALTNAME_INVALID: failure("CONNECTION_FAILED", "the server's certificate is for another name", true),
  DEPTH_ZERO_SELF_SIGNED_CERT: failure("CONNECTION_FAILED", "the server's certificate is not trusted", true),
  SELF_SIGNED_CERT_IN_CHAIN: failure("CONNECTION_FAILED", "the server's certificate is not trusted", true),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: failure("CONNECTION_FAILED", "the server's certificate is not trusted", true),
};

/** What a failed call means, whatever threw it: by the code of Node's or undici's error, never by its text. */
export function egressErrorOf(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const { fault, message, lasting } =
    codesOf(error)
      .map((code) => WORDS[code])
      .find((words) => words !== undefined) ?? failure("CONNECTION_FAILED", "the connection to the server failed");
  return new EgressError(fault, message, { lasting });
}

/** The codes of an error, of those it is made of (one per address that was tried) and of what caused it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = "code" in error ? [String(error.code)] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...code, ...inner, ...codesOf(error.cause)];
}

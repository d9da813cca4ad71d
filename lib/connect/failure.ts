import { isUniqueViolation } from "../db";
import { ApiError } from "../errors";
import { type NetworkAnswer, PlatformError, type ScopePurpose } from "../networks";
import type { PageLanguage } from "../partners";
import type { Platform } from "../platforms";

/** Why a connect failed, with the HTTP status of its page. The failure also selects the page's text. */
export const connectFailureStatuses = {
  /** The person declined on the network's page. */
  denied: 403,
  "missing permission": 403,
  /** The network did not answer, sent an error, or sent something unexpected. */
  network: 502,
  "account in use": 402,
  /** The person wanted to reconnect one account and chose another one. */
  "other account": 409,
  /** The attempt was started in another browser. */
  "wrong browser": 403,
  /** The confirmation page's form has another type, is too long, or contains characters that no form of ours has. */
  unread: 400,
  /** The link is too old, was used already, or is not a valid link. */
  expired: 410,
  /** The user or the partner is suspended. */
  suspended: 403,
  /** The network is not set up here. */
  unavailable: 400,
  /** Our own error. */
  fault: 500,
} as const;

export type ConnectFailure = keyof typeof connectFailureStatuses;

export function isConnectFailure(text: string): text is ConnectFailure {
  return Object.hasOwn(connectFailureStatuses, text);
}

/** What a link asked for: a failure page needs it for its look and its "Start again" link. */
export type ConnectContext = {
  owner: string;
  platform: Platform;
  redirectUri: string;
  /** The account name that the person entered, on networks that need it before the redirect. */
  account?: string;
  language?: PageLanguage;
  /** Only true if the page is certainly shown in the browser that started the attempt. */
  canRestart?: boolean;
};

/** The names of the account to reconnect and of the one that the person chose. */
export type OtherAccount = {
  wanted: string;
  found: string;
  /** The chosen account is connected already. */
  isConnected: boolean;
};

/** A permission that the person did not give. */
export type MissingScope = { scope: string; purpose: ScopePurpose };

type Details = {
  traceCode?: string;
  context?: ConnectContext;
  network?: NetworkAnswer;
  other?: OtherAccount;
  missing?: MissingScope[];
  /** 400 if the browser's request is the reason for a failure with a network, for example an invalid code. */
  status?: 400;
};

/** A connect attempt failed. `traceCode` identifies its trace. */
export class ConnectError extends Error {
  readonly status: (typeof connectFailureStatuses)[ConnectFailure];
  readonly traceCode?: string;
  readonly context?: ConnectContext;
  /** The network's answer, without secrets. */
  readonly network?: NetworkAnswer;
  readonly other?: OtherAccount;
  readonly missing?: MissingScope[];

  constructor(
    readonly failure: ConnectFailure,
    message: string,
    details: Details = {},
  ) {
    super(message);
    this.name = "ConnectError";
    this.status = details.status ?? connectFailureStatuses[failure];
    this.traceCode = details.traceCode;
    this.context = details.context;
    this.network = details.network;
    this.other = details.other;
    this.missing = details.missing;
  }
}

const FAILURE_OF_STATUS: { [status: number]: ConnectFailure } = {
  400: "unavailable",
  402: "account in use",
  403: "suspended",
};

/** Converts any error of a connect into a ConnectError. */
export function toConnectError(error: unknown, details: Pick<Details, "traceCode" | "context"> = {}): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof PlatformError)
    return new ConnectError("network", error.message, {
      ...details,
      network: error.answer,
      status: ["rejected", "reconnect"].includes(error.kind) ? 400 : undefined,
    });
  if (error instanceof ApiError)
    return new ConnectError(FAILURE_OF_STATUS[error.status] ?? "expired", error.message, details);
  if (isUniqueViolation(error)) return new ConnectError("expired", "Another tab finished first", details);
  return new ConnectError("fault", "Something went wrong on our side", details);
}

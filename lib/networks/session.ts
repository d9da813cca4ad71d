import type { QuotaReservation } from "./quota";

/** Our application at a network: its credentials, and calls made in its name. */
export type App = {
  clientId: string;
  clientSecret: string;
  /** The ID of a login configuration at the network that replaces the list of scopes. */
  configId?: string;
  /** Returns an address on one of the network's hosts (default `api`), with configured replacements applied. */
  url(path: string, host?: string): string;
  fetch: NetworkFetch;
  /**
   * Fetches a public address found in a post, up to `maxBytes`; returns undefined if it cannot be read. Dry runs fetch
   * nothing.
   */
  fetchWebFile(url: string, maxBytes: number): Promise<WebFile | undefined>;
};

/** A file from the public web; `contentType` is what its server sent, in lower case. */
export type WebFile = { contentType: string; bytes: Uint8Array };

/** Calls made for one connected account; the host, credential and error table are already applied. */
export type NetworkSession = {
  app: App;
  accountId: string;
  username: string;
  tokens: Tokens;
  fetch: NetworkFetch;
  /** Returns the network's time, as its newest answer in this session stated it (`Date`, in whole seconds). */
  statedTime(): Date | undefined;
  /** The part of the network's daily quota that is reserved for this session. */
  quota: QuotaReservation;
};

export type NetworkCall = {
  method?: string;
  headers?: { [name: string]: string };
  /** Use `multipart` for forms with files; a stream is sent as it is read. */
  body?: string | URLSearchParams | Uint8Array | ReadableStream<Uint8Array>;
  /** Purpose of the host, as in `hosts`. */
  host?: string;
  /** A credential other than the account's (a Page token), or none (a pre-signed upload address). */
  auth?: { bearer: string } | "none";
  /** Timeout for the complete answer; 30 s by default. */
  timeoutSeconds?: number;
  /** Non-2xx statuses that the caller handles itself (YouTube's 308, a missing DPoP nonce). */
  accept?: number[];
};

/**
 * Sends a request once, without redirects or retries. `path` starts with a slash or is an absolute address from the network.
 * @throws PlatformError for every answer that is neither 2xx nor in `accept`, and for every call without a complete answer
 */
export type NetworkFetch = (path: string, call?: NetworkCall) => Promise<Response>;

export type Profile = {
  accountId: string;
  username: string;
  displayName: string;
  avatarUrl?: string;
  /** The longest text that this account may post, in the format's unit, if the network allows it more than usual. */
  textMax?: number;
  /** The ID that the network's callbacks use for this account, if it differs from `accountId`. */
  noticeId?: string;
};

/** A request to one of our callback addresses, with the raw body. */
export type CallbackRequest = { headers: Headers; body: string };

/** The options of an account. For everything absent, the network's general limits and settings apply. */
export type AccountOptions = {
  /** The name that the network shows to the user who posts. */
  displayName?: string;
  /** The allowed values by setting name. */
  settings: { [name: string]: (string | boolean)[] };
  video?: { maxSeconds?: number };
};

/** A value that an account can choose for a setting, such as one of its playlists. The setting takes the ID. */
export type SettingOption = { id: string; title: string };

export type NetworkNotice = { accountId: string; at: Date } & (
  | { kind: "deauthorized"; says: string }
  /** The final ID of a post that was only known by a handle. */
  | { kind: "post id"; handle: string; id: string; permalink(username: string): string }
);

export type Tokens = {
  accessToken: string;
  refreshToken?: string;
  /** ISO 8601, UTC. Absent if the token does not expire. */
  expiresAt?: string;
  scopes?: string[];
  /** Other data that calls need: a proof key, the account's server. */
  extra?: { [name: string]: string };
};

export type Destination = { id: string; title: string; type: string };

export type Destinations = {
  /** Whether a post must name a destination even if the account has only one. */
  required: boolean;
  /** A post that names no destination goes to the account itself. */
  own?: true;
  /** Absent: Carillon's own table is the list, filled from the network's updates (`BotConnect` in `connect.ts`). */
  list?(session: NetworkSession): Promise<Destination[]>;
  /** Set if a setting names a part of the destination: lists the parts. */
  parts?: DestinationParts;
};

/**
 * A part of a destination, such as a section of a board. `setting` contains its ID. Messages call the part `name` and the
 * destination `of`.
 */
type DestinationParts = {
  setting: string;
  name: string;
  of: string;
  list(session: NetworkSession, chatId: string): Promise<DestinationPart[]>;
};

export type DestinationPart = { id: string; title: string };

import type { z } from "zod";
import type { Platform } from "../platforms";
import type { BotConnect, OAuthConnect } from "./connecting";
import type { ErrorTable } from "./errors";
import type { Breach, Limits } from "./limits";
import type { Pace } from "./pace";
import type { OutgoingPost, PlannedPost, Published, Run } from "./publishing";
import type { Quota, Share } from "./quota";

export type * from "./connecting";
export type * from "./publishing";

/**
 * What a network is to Carillon: data plus a few functions. Generic code asks this definition and never names a network.
 * Written for the hardest of the ten: Bluesky (pushed authorization, proofs bound to each request, a host per account),
 * Telegram (no OAuth, one bot for everybody), Instagram (fetches media itself, asynchronous containers), LinkedIn
 * (parts uploaded without a token), TikTok and YouTube (resumable uploads), Facebook (another token per destination).
 */
export type Network<S = unknown> = {
  platform: Platform;
  /** As it reads in a message. */
  name: string;
  /** The network's own hosts by purpose; `<NETWORK>_API_URL` stands in for all of them. `api` is the default. */
  hosts: { api: string; [purpose: string]: string };
  /** Accounts live on hosts that anybody can run: whatever is none of `hosts` must have a public address. */
  anyHost?: true;
  /** Its API can be run by oneself: a `<NETWORK>_API_URL` off this machine then stands in for `api` alone. */
  selfHosted?: true;
  /** The API version the adapter speaks and, where announced, the day it ends (YYYY-MM-DD). */
  version: { name: string; endsOn?: string };
  /** `platformSettings` without `type`: unknown fields refused, defaults filled in. */
  settings: z.ZodType<S>;
  /** Spellings of `platformSettings.type`, the one that is answered first. */
  settingsTypes: [string, ...string[]];
  /** What can be published; an absent format is refused at schedule time. Read it through `formatOf`. */
  formats: Formats<S>;
  /** Where one setting decides what can be published: the formats under those of its values that differ. */
  variants?: { setting: string; formats: { [value: string]: Formats<S> } };
  /** Several posts in one publication: `reply` chains each to the one before, `sequence` sends one after the other. */
  posts?: { max: number; chain: "reply" | "sequence" };
  /** How much may be under way at once, where the usual is too much or too little (`paceOf`). */
  pace?: Pace;
  /** What the whole service may ask of it in a day, where that is so little that it has to be counted. */
  quota?: Quota;
  /**
   * What this account's own server takes, where that may be less than the format's limits: images beyond it are made fit when
   * they are sent. Absent: the same everywhere.
   */
  limitsAt?(tokens: Tokens, limits: Limits): Limits;
  connect: OAuthConnect | BotConnect;
  destinations?: Destinations;
  /** Reads whose account a token is. */
  profile(session: Session): Promise<Profile>;
  /** The address of the picture that it answers ends after some days, so it is read again each day. */
  avatarsExpire?: true;
  /** What this very account may choose just now, where the network decides that for each; for whoever composes a post. */
  accountOptions?(session: Session): Promise<AccountOptions>;
  /** A new token pair for an old one. Absent: tokens do not expire, or the person must come back. */
  refresh?: {
    /** So long before the token ends. */
    beforeSeconds: number;
    /** The same credential may be presented any number of times; otherwise one whose answer was lost never is again. */
    isReusable?: true | ((tokens: Tokens) => boolean);
    /** Whether these tokens can be renewed at all; where it is absent, they can. */
    isPossible?(tokens: Tokens): boolean;
    run(app: App, tokens: Tokens): Promise<Tokens>;
  };
  /** Ends the grant at the network when an account is disconnected; best effort. */
  revoke?(app: App, tokens: Tokens): Promise<void>;
  /**
   * What the network tells us unasked, at `POST /callbacks/<network>`; what is not understood is nothing.
   * @throws PlatformError `rejected` where the signature is not the network's
   */
  notifications?(app: App, request: CallbackRequest): NetworkNotice[];
  /**
   * Who wants all of theirs gone, as the network tells at `POST /callbacks/<network>/deletion`; it is answered with an address
   * and a code for the person.
   * @throws PlatformError `rejected` where the signature is not the network's
   */
  deletionRequest?(app: App, request: CallbackRequest): { accountId: string; at: Date };
  /** Puts the account's credential on a request; a bearer header where absent. */
  authorize?(headers: Headers, request: { method: string; url: string }, tokens: Tokens): void | Promise<void>;
  /** Sees the headers of every answer: for what the next request to that address has to repeat (a nonce). */
  answered?(url: string, headers: Headers): void;
  /**
   * A harmless call that only the service's own credentials pass; throws the network's refusal. Absent: there are none, as
   * where an application is known by its address alone.
   */
  checkCredentials?(app: App, redirectUri: string): Promise<void>;
  errors: ErrorTable;
  /** What it would answer, with names in braces where only it knows the value: for showing requests without sending them. */
  rehearsal: Rehearsal;
};

/** The first that fits a call's method and path answers it, with headers where they say something. */
export type Rehearsal = {
  method: string;
  path: RegExp;
  /** In the call's body, where calls of one path are answered differently. */
  body?: RegExp;
  /** Or a function of what `body` found that makes it. */
  answer: unknown;
  headers?: { [name: string]: string };
}[];

export type FormatName = "text" | "image" | "video" | "carousel";

export type Formats<S> = { [F in FormatName]?: Format<S> };

export type Format<S> = {
  limits: Limits;
  /**
   * The network's rules that are not a limit of one field: what goes together and what does not. `at` is a path from the
   * post on (`content`, `attachmentPaths[0]`), or `platformSettings.<setting>`. A breach of severity `warning` refuses nothing.
   */
  check?(post: PlannedPost<S>): Breach[];
  publish(post: OutgoingPost<S>, run: Run): Promise<Published>;
};

/** Our application at a network: its credentials, and calls made in its own name. */
export type App = {
  clientId: string;
  clientSecret: string;
  /** A configuration at the network that stands for the permissions asked for. */
  configId?: string;
  /** An address on one of the network's hosts (`api` where none is named), wherever that host really is. */
  url(path: string, host?: string): string;
  fetch: NetworkFetch;
  /**
   * What stands at a public address that somebody wrote into a post, of so many bytes at most; undefined where nothing can be
   * read there. Nothing is read where requests are only shown.
   */
  outside(url: string, maxBytes: number): Promise<OutsideFile | undefined>;
};

/** A file of the web at large; its type as its server says, in small letters. */
export type OutsideFile = { contentType: string; bytes: Uint8Array };

/** Calls made for one connected account: host, credential and error table already applied. */
export type Session = {
  app: App;
  accountId: string;
  username: string;
  tokens: Tokens;
  fetch: NetworkFetch;
  /** What is kept of the network's `quota` for what this session is about to do. */
  quota: Share;
};

export type NetworkCall = {
  method?: string;
  headers?: { [name: string]: string };
  /** For parts and files see `multipart`; a stream is sent as it comes. */
  body?: string | URLSearchParams | Uint8Array | ReadableStream<Uint8Array>;
  /** Purpose of the host, as in `hosts`. */
  host?: string;
  /** Another credential than the account's (a Page token), or none at all (a part's upload address). */
  auth?: { bearer: string } | "none";
  /** Longest wait for the whole answer; 30 s where unset. */
  timeoutSeconds?: number;
  /** Statuses besides 2xx that the caller reads itself (YouTube's 308, a proof that lacks its nonce). */
  accept?: number[];
};

/**
 * Sends once: no redirects followed, no retries. `path` begins with a slash, or is an absolute address the network gave.
 * @throws PlatformError for every answer that is neither 2xx nor in `accept`, and for every call that ends without an answer
 */
export type NetworkFetch = (path: string, call?: NetworkCall) => Promise<Response>;

export type Profile = {
  accountId: string;
  username: string;
  displayName: string;
  avatarUrl?: string;
  /** The id by which the network's callbacks name this account, where that is another one. */
  noticeId?: string;
};

/** What came to one of our callback addresses, the body as it was sent. */
export type CallbackRequest = { headers: Headers; body: string };

/** What is open to an account; what is not named is as the network's own limits and settings say. */
export type AccountOptions = {
  /** As the network shows it to the person who posts. */
  displayName?: string;
  /** The values that a setting may have, by the setting's name. */
  settings: { [name: string]: (string | boolean)[] };
  video?: { maxSeconds?: number };
};

export type NetworkNotice = { accountId: string; at: Date } & (
  | { kind: "deauthorized"; says: string }
  /** A post that went by a handle so far has its id. */
  | { kind: "post id"; handle: string; id: string; permalink(username: string): string }
);

export type Tokens = {
  accessToken: string;
  refreshToken?: string;
  /** ISO 8601, UTC. Absent: it does not expire. */
  expiresAt?: string;
  scopes?: string[];
  /** What else the network needs with each call: a proof key, a session host. */
  extra?: { [name: string]: string };
};

export type Destination = { id: string; title: string; type: string };

export type Destinations = {
  /** Whether a post must name one, even when the account has exactly one. */
  required: boolean;
  /** Absent: Carillon's own table is the list, fed by the network's updates (`BotConnect`). */
  list?(session: Session): Promise<Destination[]>;
  /** Where a setting names a part of the destination: which there are. */
  parts?: DestinationParts;
};

/** A section of a board: `setting` holds its id; `name` and `of` are how a message calls the part and the whole. */
type DestinationParts = {
  setting: string;
  name: string;
  of: string;
  list(session: Session, chatId: string): Promise<DestinationPart[]>;
};

export type DestinationPart = { id: string; title: string };

/** When the networks' API versions and their announced ends were last looked up (YYYY-MM-DD). */
export const VERSIONS_AS_OF = "2026-11-20";

/** Keeps a definition's settings type while it is being written. */
export function defineNetwork<S>(network: Network<S>): Network<S> {
  return network;
}

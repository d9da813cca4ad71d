import { PlatformError } from "./errors";
import type { App, Destination, NetworkSession, Profile, Tokens } from "./session";

/** Connects an account by sending the user to the network's consent page. */
export type OAuthConnect = {
  kind: "oauth";
  /** The network verifies PKCE (RFC 7636) when the code is exchanged. Otherwise the bridge binds the state itself (ADR 38). */
  hasPkce?: true;
  /** Scopes without which a connect fails. Empty if the network does not report the granted scopes. */
  requiredScopes: string[];
  /** What each required scope is for. The connect page says it if the person leaves one out. */
  scopePurposes: { [scope: string]: ScopePurpose };
  /** Scopes that are requested as well, but without which a connect succeeds. */
  optionalScopes?: string[];
  /** Scopes that are requested only if the operator has switched a setting on. A connect succeeds without them. */
  switchedScopes?: SwitchedScopes[];
  /**
   * Asks the network which scopes the account's token has now. Returns undefined if the answer does not state them. Absent if the
   * network has no such call.
   * @throws PlatformError
   */
  readScopes?(session: NetworkSession): Promise<string[] | undefined>;
  /** Returns the address of the consent page. `keep` is sealed with the connect attempt and passed to `exchange`. */
  begin(app: App, request: ConnectRequest): Promise<{ url: string; keep?: { [name: string]: string } }>;
  /** Exchanges the callback's code for tokens. */
  exchange(app: App, callback: ConnectCallback): Promise<Tokens>;
  /**
   * Whether the network may have refused a token only because it has just issued it. Absent if no such refusals are known. Calls with
   * a new token are repeated after them (`withNewToken`).
   */
  isTooNew?(error: PlatformError): boolean;
  /** Set if the network refuses the name `localhost` in redirect addresses and requires the IP address (RFC 8252, 8.3). */
  loopbackAddress?: "127.0.0.1";
  /** The public client metadata documents, for networks that read them instead of registering the application. */
  clientDocuments?(app: App, redirectUri: string): { client_id: string }[];
  /** Set for networks whose accounts live on many servers: the user names the account before the redirect. */
  account?: {
    /** Label and hint of the form field. */
    label: string;
    hint: string;
    /**
     * Resolves what the user typed to the form that `begin` takes.
     * @throws PlatformError `rejected` if the account does not exist
     */
    find(app: App, typed: string): Promise<string>;
  };
  /** Alternative sign-in with a name and an app password that the user created for Carillon. */
  password?: {
    label: string;
    hint: string;
    /** `host`: the address of the account's server, needed if the account name does not resolve to it. */
    signIn(app: App, credentials: { account: string; password: string; host?: string }): Promise<Tokens>;
  };
};

/** What a scope is for: see the profile, posts, Pages or boards; publish, also to boards; upload files; stay connected. */
export type ScopePurpose = "profile" | "posts" | "pages" | "boards" | "publish" | "saveToBoards" | "upload" | "stay";

/**
 * The scopes of a setting, such as `YOUTUBE_MANAGE`. A network refuses every connect that requests a scope for which the application
 * is not approved, so the operator switches the setting on once it is.
 */
export type SwitchedScopes = { setting: string; isOn(): boolean; scopes: string[] };

/** Returns the scopes that a connect requests with the operator's settings. */
export function requestedScopes({ requiredScopes, optionalScopes = [], switchedScopes = [] }: OAuthConnect): string[] {
  const switchedOn = switchedScopes.filter(({ isOn }) => isOn());
  return [...requiredScopes, ...optionalScopes, ...switchedOn.flatMap(({ scopes }) => scopes)];
}

export type ConnectRequest = {
  state: string;
  redirectUri: string;
  /** PKCE S256 challenge (base64url). Adapters of networks without PKCE ignore it. */
  challenge: string;
  /** The PKCE verifier, for networks that derive their own form of challenge from it. */
  verifier: string;
  /** The account as typed by the user; if absent, the network's default host asks for it. */
  account?: string;
};

export type ConnectCallback = {
  code: string;
  /** The issuer of the code (RFC 9207), if the network sends it. */
  issuer?: string;
  redirectUri: string;
  verifier: string;
  keep: { [name: string]: string };
};

/** Connects an account through one bot shared by all users; a one-time code links the chat to the user. */
export type BotConnect = {
  kind: "bot";
  /**
   * Returns what posts need and the bot may not do in a chat, such as `send images`; empty if it may do everything.
   * @throws PlatformError
   */
  missingRights(app: App, chatId: string): Promise<string[]>;
  /** Tells the operator where a chat shows the bot's rights, and which ones it needs. */
  rights: string;
  /** Returns a link that opens a chat with the bot and passes it the code (at most 64 characters of A-Za-z0-9_-). */
  startUrl(app: App, code: string): Promise<string>;
  /** Returns links with which a user known to the bot adds it as administrator of a channel or to a group. */
  addUrls(app: App): Promise<{ channel: string; group: string }>;
  /** Sends a person a question with buttons. Pressing one is reported as an `answer` with its data (at most 64 bytes). */
  ask(app: App, personId: string, text: string, buttons: { label: string; data: string }[]): Promise<void>;
  /** Replaces a question, with its buttons, by its result. */
  conclude(app: App, answer: BotAnswer, text: string): Promise<void>;
  tell(app: App, personId: string, text: string): Promise<void>;
  /** Returns the events since `offset`; waits up to `waitSeconds` if there are none. */
  updates(app: App, offset: number, waitSeconds: number): Promise<{ events: BotEvent[]; offset: number }>;
};

/** A person opened the start link and pressed Start. */
export type BotStart = { kind: "start"; code: string; profile: Profile };
/** A person pressed a button of the message `messageId` in their own chat with the bot. */
export type BotAnswer = { kind: "answer"; id: string; data: string; profile: Profile; messageId: string };

export type BotEvent =
  | BotStart
  | BotAnswer
  /** A user added the bot to a destination, removed it, or changed its right to post there. */
  | { kind: "destination"; byAccountId: string; destination: Destination; problem?: DestinationProblem }
  /** The ID of a destination changed. */
  | { kind: "moved"; from: string; to: string };

/** Why the bot cannot post to a destination: it was removed, or it lacks the right to post. */
export type DestinationProblem = "REMOVED" | "NO_RIGHT";

/**
 * Returns a check of an application's credentials that exchanges a made-up authorization code. Networks authenticate the
 * application before they look at the code, so an error about the code means that the credentials are valid.
 * @param isTheCode whether an error is about the code; by default every `reconnect` error is
 */
export function checkWithInvalidCode(
  { exchange }: OAuthConnect,
  isTheCode = ({ kind }: PlatformError) => kind === "reconnect",
) {
  return async (app: App, redirectUri: string): Promise<void> => {
    try {
      await exchange(app, { code: "doctor", redirectUri, verifier: "doctor".repeat(8), keep: {} });
    } catch (error) {
      if (error instanceof PlatformError && isTheCode(error)) return;
      throw error;
    }
  };
}

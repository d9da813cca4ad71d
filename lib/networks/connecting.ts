import type { App, Destination, Profile, Tokens } from "./network";

/** Connecting by sending the person to the network's consent page. */
export type OAuthConnect = {
  kind: "oauth";
  /** Scopes that must have been granted; a connect without one of them fails. Empty where the network does not say. */
  requiredScopes: string[];
  /** Where the person goes. `keep` is sealed with the attempt and handed to `exchange`. */
  begin(app: App, request: AuthorizationRequest): Promise<{ url: string; keep?: { [name: string]: string } }>;
  /** The callback's code for tokens. */
  exchange(app: App, callback: AuthorizationCallback): Promise<Tokens>;
  /** On this machine the network sends people back to an address only, never to the name `localhost` (RFC 8252, 8.3). */
  loopbackAddress?: "127.0.0.1";
  /** The public document by which the network knows us, where it takes the place of a registration. */
  clientDocument?(app: App, redirectUri: string): object;
  /** Accounts live on many servers, so the person says beforehand whose it is. */
  account?: {
    /** What the field is called, and what is written into it. */
    label: string;
    hint: string;
    /**
     * The account as `begin` takes it.
     * @throws PlatformError `rejected` where there is none by this name
     */
    find(app: App, typed: string): Promise<string>;
  };
  /** The other way in: a name and a password that the person made for us alone. */
  password?: {
    label: string;
    hint: string;
    /** `host`: the address of the account's server, where its name does not lead there. */
    signIn(app: App, credentials: { account: string; password: string; host?: string }): Promise<Tokens>;
  };
};

export type AuthorizationRequest = {
  state: string;
  redirectUri: string;
  /** PKCE S256 challenge, base64url; an adapter whose network takes none leaves it out. */
  challenge: string;
  /** The same verifier, for a network with a challenge form of its own. */
  verifier: string;
  /** Whose account it is, as typed by the person; where it is absent the network's usual host asks for it. */
  account?: string;
};

export type AuthorizationCallback = {
  code: string;
  /** Who says that it gave the code (RFC 9207), where the network says so. */
  issuer?: string;
  redirectUri: string;
  verifier: string;
  keep: { [name: string]: string };
};

/** Connecting by talking to one bot that everybody shares: a one-time code proves who is who. */
export type BotConnect = {
  kind: "bot";
  /** The address that opens a talk with the bot and hands it the code (64 characters of A-Za-z0-9_- at most). */
  startUrl(app: App, code: string): Promise<string>;
  /** The addresses with which a person who is known to the bot makes it an administrator of a channel, or takes it into a group. */
  addUrls(app: App): Promise<{ channel: string; group: string }>;
  /** What happened since `offset`, waiting up to `waitSeconds` for something to happen. */
  updates(app: App, offset: number, waitSeconds: number): Promise<{ events: BotEvent[]; offset: number }>;
};

export type BotEvent =
  | { kind: "start"; code: string; profile: Profile }
  /** Somebody gave the bot a destination, or took it or the right to post there away. */
  | { kind: "destination"; byAccountId: string; destination: Destination; problem?: DestinationProblem }
  /** A destination has another id from now on. */
  | { kind: "moved"; from: string; to: string };

/** Why a bot cannot post somewhere: it was taken out, or lacks the right. */
export type DestinationProblem = "REMOVED" | "NO_RIGHT";

import { z } from "zod";
import type { Platform } from "../platforms";
import type { BotConnect, OAuthConnect } from "./connect";
import type { ErrorTable } from "./errors";
import type { FieldProblem, Limits, TextLimit } from "./limits";
import type { LiveChecks } from "./live-checks";
import type { OutgoingComment, OutgoingPost, PlannedPost, Published, Run } from "./publishing";
import type { Concurrency, Quota } from "./quota";
import type {
  AccountOptions,
  App,
  CallbackRequest,
  Destinations,
  NetworkNotice,
  NetworkSession,
  Profile,
  SettingOption,
  Tokens,
} from "./session";

export type * from "./connect";
export type * from "./publishing";
export type * from "./session";

/**
 * The page that documents the values of a setting, if the setting checks them itself. It is not part of its JSON Schema.
 * `lengthSource` is the page that states the maximum length, if it is another one, and null if the maximum is Carillon's own.
 */
export const documentation = z.registry<{ source: string; lengthSource?: string | null }>();

/**
 * The definition of a network: data plus a few functions. Generic code reads this definition and never names a network.
 * It covers the most demanding features of the ten networks: Bluesky (pushed authorization, proofs bound to each request, a
 * host per account), Telegram (no OAuth, one bot for everyone), Instagram (fetches media itself, asynchronous containers),
 * LinkedIn (parts uploaded without a token), TikTok and YouTube (resumable uploads), Facebook (a token per destination).
 */
export type Network<S = unknown> = {
  platform: Platform;
  /** Display name, as used in messages. */
  name: string;
  /** The network's hosts by purpose; `api` is the default. `<NETWORK>_API_URL` replaces all of them. */
  hosts: { api: string; [purpose: string]: string };
  /** Accounts live on hosts that anyone can run, so a host that is not in `hosts` must have a public address. */
  anyHost?: true;
  /** The API can be self-hosted: a `<NETWORK>_API_URL` on another machine then replaces only `api`. */
  selfHosted?: true;
  /** The API version that the adapter uses and its announced end of life (YYYY-MM-DD). */
  version: { name: string; endsOn?: string };
  /** `platformSettings` without `type`: rejects unknown fields and fills in defaults. */
  settings: z.ZodType<S>;
  /** Settings that the composer must ask for, although a body without them is accepted. */
  asks?: string[];
  /** Accepted spellings of `platformSettings.type`; responses use the first. */
  settingsTypes: [string, ...string[]];
  /** How a flat body, which has no settings, gets those that the network requires. Absent: it requires none. */
  flatBody?: {
    /** This text is the first line of the content; the rest stays the content. */
    firstLine?: { setting: string; limit: TextLimit };
    /** Without a value in the body, this is the first of these values that the account may choose (`accountOptions`). */
    choice?: { setting: string; narrowestFirst: [string, ...string[]] };
  };
  /** The formats that can be published; other formats are rejected at schedule time. Read it through `formatOf`. */
  formats: Formats<S>;
  /** Set if one setting decides what can be published: the formats for each value that differs. */
  variants?: { setting: string; formats: { [value: string]: Formats<S> } };
  /** Several posts in one publication: `reply` chains each post to the previous one, `sequence` sends them in order. */
  posts?: { max: number; chain: "reply" | "sequence" };
  /** Settings that need a permission which an account may lack. Absent: there are none. */
  permissions?: SettingPermission[];
  /** The first comment on a published post, or the first reply to it. Absent: the network takes none. */
  comment?: Commenting<S>;
  /** How much may run at once, if the default does not fit (`paceOf`). */
  concurrency?: Concurrency;
  /** Daily quota of the whole service, for networks where it is so small that calls must be counted. */
  quota?: Quota;
  /**
   * Returns the limits of this account's own server, if they may be lower than the format's: larger images are shrunk when
   * they are sent. Absent: the limits are the same everywhere.
   */
  limitsForAccount?(tokens: Tokens, limits: Limits): Limits;
  /** Returns the part of `Tokens.extra` on which the requests of a dry run depend, with secrets replaced. Absent if there is none. */
  withoutSecrets?(extra: NonNullable<Tokens["extra"]>): Tokens["extra"];
  connect: OAuthConnect | BotConnect;
  destinations?: Destinations;
  /** Reads which account a token belongs to. */
  profile(session: NetworkSession): Promise<Profile>;
  /** Avatar URLs expire after some days, so they are read again every day. */
  avatarsExpire?: true;
  /** Reads the options that the network currently offers this account, for the composer. */
  accountOptions?(session: NetworkSession): Promise<AccountOptions>;
  /** By setting: lists what an account can choose, if people know it by a title and not by the ID that the setting takes. */
  settingOptions?: { [setting: string]: (session: NetworkSession) => Promise<SettingOption[]> };
  /** By setting: searches by name what an account can choose, if there is too much to list. */
  settingSearches?: { [setting: string]: (session: NetworkSession, text: string) => Promise<SettingOption[]> };
  /** Exchanges a token pair for a new one. Absent: tokens do not expire, or the user must connect again. */
  refresh?: {
    /** How long before expiry to refresh. */
    beforeSeconds: number;
    /** The same credential can be presented repeatedly. Otherwise it is never sent again once an answer was lost. */
    isReusable?: true | ((tokens: Tokens) => boolean);
    /** Whether these tokens can be refreshed; absent means yes. */
    isPossible?(tokens: Tokens): boolean;
    run(app: App, tokens: Tokens): Promise<Tokens>;
  };
  /** Revokes the grant at the network when an account is disconnected; best effort. */
  revoke?(app: App, tokens: Tokens): Promise<void>;
  /**
   * Reads a notification sent to `POST /callbacks/<network>`; unknown ones yield an empty list.
   * @throws PlatformError `rejected` if the signature is invalid
   */
  notifications?(app: App, request: CallbackRequest): NetworkNotice[];
  /**
   * Reads a data deletion request sent to `POST /callbacks/<network>/deletion`. The response gives the person a status address
   * and a code.
   * @throws PlatformError `rejected` if the signature is invalid
   */
  deletionRequest?(app: App, request: CallbackRequest): { accountId: string; at: Date };
  /** Adds the account's credential to a request; the default is a bearer header. */
  authorize?(headers: Headers, request: { method: string; url: string }, tokens: Tokens): void | Promise<void>;
  /** Receives the headers of every response, to store what later requests must repeat (a nonce). */
  onResponse?(url: string, headers: Headers): void;
  /**
   * Makes a harmless call that succeeds only with the service's own credentials; throws the network's error. Absent if there
   * are no credentials, as for networks that identify an application by its address.
   */
  checkCredentials?(app: App, redirectUri: string): Promise<void>;
  /** What `doctor --live` checks with a connected account, without publishing. */
  live: LiveChecks;
  errors: ErrorTable;
  /** Example answers for dry runs; placeholders in braces replace values that only the network knows. */
  dryRunAnswers: DryRunAnswers;
};

/** The first entry that matches a call's method and path answers it, with `headers` if the adapter reads any. */
export type DryRunAnswers = {
  method: string;
  path: RegExp;
  /** Pattern in the request body, to distinguish calls to the same path. */
  body?: RegExp;
  /** A JSON value, or a function that builds it from the match of `body`. */
  answer: unknown;
  headers?: { [name: string]: string };
}[];

export type FormatName = "text" | "image" | "video" | "carousel" | "document";

export type Formats<S> = { [F in FormatName]?: Format<S> };

export type Format<S> = {
  limits: Limits;
  /**
   * The network's rules that are not a limit of one field, such as invalid combinations. `at` is a path within the post
   * (`content`, `attachmentPaths[0]`) or `platformSettings.<setting>`. A problem of severity `warning` does not block the post.
   */
  check?(post: PlannedPost<S>): FieldProblem[];
  publish(post: OutgoingPost<S>, run: Run): Promise<Published>;
};

/** An account lacks such a permission if it was connected before we requested it, or if the person declined it. */
export type SettingPermission = {
  setting: string;
  /** Each of these scopes includes the permission. */
  scopes: string[];
  /** What it is for, as in "does not cover drafts". */
  covers: string;
  /** Without it, the post is published without what the setting asks for. Otherwise the post fails. */
  isOptional?: true;
};

export type Commenting<S> = {
  /** As the network counts it. */
  text: TextLimit;
  /** The network's documentation of comments. */
  source: string;
  /** The permission that the calls need in addition to those of posts. Accounts connected without it must be connected again. */
  scope?: string;
  /** Says why posts with these (parsed) settings take no comment; a sentence without its full stop. Undefined if they do. */
  refusal?(settings: S): string | undefined;
  /** Sends the comment with one final call (`run.commit`), which looks up a lost answer if the network can be read. */
  publish(comment: OutgoingComment<S>, run: Run): Promise<Published>;
};

/** The date on which the networks' API versions and their announced ends were last checked (YYYY-MM-DD). */
export const VERSIONS_AS_OF = "2026-11-20";

/** Infers the settings type of a definition. */
export function defineNetwork<S>(network: Network<S>): Network<S> {
  return network;
}

/** Returns the formats that can be published with these (parsed) settings. */
export function networkFormats<S>(network: Network<S>, settings: S): Formats<S> {
  const { variants } = network;
  if (!variants || typeof settings !== "object" || settings === null) return network.formats;
  const value = Object.entries(settings).find(([name]) => name === variants.setting)?.[1];
  return (typeof value === "string" ? variants.formats[value] : undefined) ?? network.formats;
}

/** Returns one format for these (parsed) settings, or undefined if it cannot be published. */
export function networkFormat<S>(network: Network<S>, settings: S, format: FormatName): Format<S> | undefined {
  return networkFormats(network, settings)[format];
}

/** A `failure` keeps a network from working now; a `warning` is about the future. */
export type VersionProblem = { severity: "failure" | "warning"; problem: string; fix: string };

/** How long before a version's end we warn. */
const SOON_DAYS = 90;
/** Networks announce an end at least a year ahead, so the list of ends is reliable for a year. */
const LIST_DAYS = 365;
const DAY_MS = 86_400_000;

/** Warns 90 days before a version ends, and reports a failure from that day on. */
export function versionProblems({ name, version }: Pick<Network, "name" | "version">, now: Date): VersionProblem[] {
  if (!version.endsOn) return [];
  const days = (Date.parse(version.endsOn) - now.getTime()) / DAY_MS;
  if (days >= SOON_DAYS) return [];
  const hasEnded = days <= 0;
  const problem = `${name} ${hasEnded ? "ended" : "ends"} version ${version.name} of its API on ${version.endsOn}`;
  const fix = "Update Carillon to a release that uses a newer version of the API";
  return [{ severity: hasEnded ? "failure" : "warning", problem, fix }];
}

/** Warns if the list of version ends is too old to contain recent announcements. */
export function versionListProblems(now: Date): VersionProblem[] {
  if (now.getTime() - Date.parse(VERSIONS_AS_OF) < LIST_DAYS * DAY_MS) return [];
  const problem = `The end dates of the networks' API versions were last checked on ${VERSIONS_AS_OF}`;
  return [{ severity: "warning", problem, fix: "Update Carillon: newer end dates may have been announced" }];
}

import { createHash } from "node:crypto";
import * as z from "zod";
import type { Collection } from "../core/journal";
import type { Codes, Grant, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type FixedWindows, fixedWindows } from "../core/rate-limits";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";

/** Behaviour that depends on the application or is not documented, set by `/_control/linkedin/switches`. */
const NewSwitches = z.strictObject({
  /** The header with the ID of a new post. Documented is the first one; the second one was reported. */
  idHeader: z.enum(["x-restli-id", "x-linkedin-id"]).default("x-restli-id"),
  /** Approved partners get refresh tokens. */
  refreshTokens: z.boolean().default(false),
  /** An API version that is retired. */
  retired: z.string().default(""),
  /** Member tokens may not read the status of videos. Whether they may is not documented. */
  statusForbidden: z.boolean().default(false),
  /** Member tokens may read the status of images. Documented is that they may not. */
  imagesReadable: z.boolean().default(false),
  /** Whether the escapes of a text count towards its 3,000 characters. */
  escapesCount: z.boolean().default(false),
  /** The unit in which texts are counted. */
  textUnit: z.enum(["UTF-16 units", "code points"]).default("UTF-16 units"),
  /** Whether videos outside of the help pages' dimensions are refused: 256 x 144 to 4096 x 2304, 1:2.4 to 2.4:1. */
  refusesOddVideos: z.boolean().default(false),
  /** How many calls a member has in a day, and whether the parts of an upload count. */
  callsPerDay: z.number().default(150),
  uploadsCount: z.boolean().default(false),
  /** The refusal of wrong credentials, in words. */
  clientRefusal: z.string().default("Client authentication failed"),
  /** The form of `errorDetails` in a refused value, which is not documented. */
  errorDetails: z.enum(["none", "list", "object"]).default("none"),
  /** Whether the same text with files that were uploaded again is a repetition. */
  duplicatesIgnoreMedia: z.boolean().default(false),
  /** The newest API version that exists. */
  newestVersion: z
    .string()
    .regex(/^\d{6}$/)
    .default("202610"),
  /** How long an image is processed after its upload. */
  imageSeconds: z.number().min(0).default(0),
});

type LinkedInSwitches = z.output<typeof NewSwitches>;

/** An uploaded part of a video. */
export type Part = { etag: string; kept: StoredMedia };

export type Asset = {
  urn: string;
  kind: "image" | "video" | "document";
  account: string;
  /** The person or page that will post it. */
  owner: string;
  grant: string;
  /** Part of the upload URLs, which makes them unguessable. */
  secret: string;
  expiresAt: number;
  sizeBytes?: number;
  uploadToken?: string;
  parts: Record<string, Part>;
  thumbnail?: StoredMedia;
  file?: StoredMedia;
  /** When the upload was completed. */
  completedAt?: number;
  polls: number;
  problem?: string;
};

/** A recent post, kept to detect duplicates. */
export type RecentPost = { urn: string; author: string; contentKey: string; createdAt: number };

/** A member's current consent. A consent with other scopes revokes earlier tokens. */
export type Consent = { scopes: string; grants: string[] };

/** A company page and the member's role on it. */
export type Page = { urn: string; name: string; account: string; role: string };

export type LinkedInState = {
  world: World;
  pages: Collection<Page>;
  codes: Codes;
  grants: Grants;
  consents: Collection<Consent>;
  /** Expiry of each issued access token, by fingerprint, to tell expired from revoked tokens. */
  issued: Collection<number>;
  assets: Collection<Asset>;
  recent: Collection<RecentPost>;
  windows: FixedWindows;
  switches: Switches<LinkedInSwitches>;
};

export function openState(world: World): LinkedInState {
  return {
    world,
    pages: world.collection("linkedin.pages"),
    codes: world.codes("linkedin"),
    grants: world.grants("linkedin"),
    consents: world.collection("linkedin.consents"),
    issued: world.collection("linkedin.issued"),
    assets: world.collection("linkedin.assets"),
    recent: world.collection("linkedin.recent"),
    windows: fixedWindows(world.clock.now),
    switches: createSwitches(NewSwitches),
  };
}

/** The member's id at this application: letters and digits, the same for a name in every sandbox. */
export function subOf(name: string): string {
  const hash = createHash("sha256").update(`linkedin\n${name}`).digest("base64url");
  return hash.replace(/[-_]/g, "x").slice(0, 10);
}

export function personUrn(name: string): string {
  return `urn:li:person:${subOf(name)}`;
}

export function pagesOf({ pages }: LinkedInState, account: string): Page[] {
  return pages.values().filter((page) => page.account === account);
}

/** Creates a grant. If the scopes differ from the earlier consent, earlier tokens are revoked. */
export function openGrant(state: LinkedInState, facts: Omit<Grant, "id" | "tokens">): Grant {
  const scopes = [...facts.scopes].sort().join(" ");
  const before = state.consents.get(facts.account);
  const isSame = before?.scopes === scopes;
  if (before && !isSame) for (const id of before.grants) state.grants.revokeTokens(id);
  const grant = state.grants.create(facts);
  state.consents.put(facts.account, { scopes, grants: [...(isSame ? before.grants : []), grant.id] });
  return grant;
}

import { createHash } from "node:crypto";
import { z } from "zod";
import type { Collection } from "../core/journal";
import type { Codes, Grant, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type FixedWindows, fixedWindows } from "../core/rate-limits";
import { type Switches, createSwitches } from "../core/switches";
import type { World } from "../core/world";

/** What of LinkedIn depends on the application or is not documented, as `/_control/linkedin/switches` sets it. */
const NewSwitches = z.strictObject({
  /** The application is an approved partner's: its tokens come with a refresh token. */
  refreshTokens: z.boolean().default(false),
  /** This version of the API has come to its end. */
  retired: z.string().default(""),
  /** Members' tokens may not look at their own videos, which is not documented either way. */
  statusForbidden: z.boolean().default(false),
  /** How long an image is worked on after it was sent. */
  imageSeconds: z.number().min(0).default(0),
});

type LinkedInSwitches = z.output<typeof NewSwitches>;

/** A part of a video as it was sent. */
export type Part = { etag: string; kept: StoredMedia };

export type Asset = {
  urn: string;
  kind: "image" | "video";
  account: string;
  grant: string;
  /** Stands in the upload addresses, so that nobody guesses them. */
  secret: string;
  expiresAt: number;
  sizeBytes?: number;
  uploadToken?: string;
  parts: Record<string, Part>;
  thumbnail?: StoredMedia;
  file?: StoredMedia;
  /** When all bytes were there. */
  completedAt?: number;
  polls: number;
  flaw?: string;
};

/** What makes two posts the same. */
export type Kept = { urn: string; author: string; essence: string; createdAt: number };

/** What a member allows the application now: with other scopes, earlier tokens end. */
export type Consent = { scopes: string; grants: string[] };

export type LinkedInState = {
  world: World;
  codes: Codes;
  grants: Grants;
  consents: Collection<Consent>;
  /** When each access token ends, by its fingerprint: a dead one is told why. */
  issued: Collection<number>;
  assets: Collection<Asset>;
  recent: Collection<Kept>;
  windows: FixedWindows;
  switches: Switches<LinkedInSwitches>;
};

export function openState(world: World): LinkedInState {
  return {
    world,
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

/** The member's id at this application: letters and digits, the same for the same name in every sandbox. */
export function subOf(name: string): string {
  const hash = createHash("sha256").update(`linkedin\n${name}`).digest("base64url");
  return hash.replace(/[-_]/g, "x").slice(0, 10);
}

export function personUrn(name: string): string {
  return `urn:li:person:${subOf(name)}`;
}

/** Opens a grant; one with other scopes than before ends the member's earlier tokens. */
export function openGrant(state: LinkedInState, facts: Omit<Grant, "id" | "tokens">): Grant {
  const scopes = facts.scopes.toSorted().join(" ");
  const before = state.consents.get(facts.account);
  const isSame = before?.scopes === scopes;
  if (before && !isSame) for (const id of before.grants) state.grants.revokeTokens(id);
  const grant = state.grants.create(facts);
  state.consents.put(facts.account, { scopes, grants: [...(isSame ? before.grants : []), grant.id] });
  return grant;
}

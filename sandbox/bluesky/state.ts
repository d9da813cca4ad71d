import * as z from "zod";
import type { Collection } from "../core/journal";
import type { CodeBinding, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type FixedWindows, fixedWindows } from "../core/rate-limits";
import { createSwitches, type Switches } from "../core/switches";
import type { World } from "../core/world";
import type { OAuthClient } from "./client";

/** Behaviour that is not documented, set by `/_control/bluesky/switches`. */
const NewSwitches = z.strictObject({
  /** The longest video. The official app takes ten minutes, and took three before. */
  maxVideoSeconds: z.number().default(600),
  /** The largest encoded video that a data server takes from the video service. */
  maxVideoBlobBytes: z.number().default(300_000_000),
});

export type StoredBlob = {
  did: string;
  cid: string;
  mimeType: string;
  file: StoredMedia;
  storedAt: number;
  /** True once a record refers to it. Other blobs are deleted after some hours. */
  isHeld: boolean;
};

export type StoredRecord = { uri: string; cid: string; rkey: string; did: string; value: Record<string, unknown> };

export type PushedRequest = {
  client: OAuthClient;
  redirectUri: string;
  scopes: string[];
  state: string;
  challenge: string;
  loginHint?: string;
  jkt: string;
  expiresAt: number;
};

export type AppSession = {
  account: string;
  kind: "access" | "refresh";
  /** Shared by all tokens of one sign-in. */
  family: string;
  expiresAt: number;
  /** For a used refresh token: the pair that it returned, returned again until `until`. */
  next?: { accessJwt: string; refreshJwt: string; until: number };
};

export type ServiceToken = { did: string; aud: string; lxm?: string; expiresAt: number };

export type VideoJob = {
  id: string;
  did: string;
  state: string;
  /** How often its status was requested. */
  polls: number;
  failureCode?: string;
  message?: string;
  blob?: StoredBlob;
};

export type VideoUpload = {
  id: string;
  did: string;
  sizeBytes: number;
  partSizeBytes: number;
  partCount: number;
  parts: Record<string, string>;
  expiresAt: number;
  completedJobId?: string;
};

/** The state of an account. All but its handle is set through the control API. */
export type AccountState = {
  /** The handle under which the account was last looked up, if it is not the usual one. */
  handle?: string;
  /** The handle in the identity document, if it differs from the one that resolves to the account. */
  alias?: string;
  isEmailUnconfirmed?: boolean;
  isPasswordRevoked?: boolean;
  /** The account is on a self-hosted server with the lexicons from before 2026. */
  isOnOldServer?: boolean;
  status?: "takendown" | "deactivated";
};

/** State of the authorization server, the data server and the video service. */
export type BlueskyState = {
  world: World;
  grants: Grants;
  /** The key to which a grant's tokens are bound, by grant id. */
  bindings: Collection<{ jkt: string; clientId: string }>;
  /** Grant ids of used refresh tokens, by token fingerprint. */
  spent: Collection<string>;
  codes: Collection<Omit<CodeBinding, "challengeMethod"> & { jkt: string; expiresAt: number }>;
  pushed: Collection<PushedRequest>;
  sessions: Collection<AppSession>;
  endedFamilies: Collection<true>;
  accounts: Collection<AccountState>;
  serviceTokens: Collection<ServiceToken>;
  blobs: Collection<StoredBlob>;
  records: Collection<StoredRecord>;
  jobs: Collection<VideoJob>;
  uploads: Collection<VideoUpload>;
  /** Ids of seen DPoP proofs, kept until a replay would be too old anyway. */
  proofs: Map<string, number>;
  windows: FixedWindows;
  switches: Switches<z.output<typeof NewSwitches>>;
};

export function openState(world: World): BlueskyState {
  const collection = <T>(name: string) => world.collection<T>(`bluesky.${name}`);
  return {
    world,
    grants: world.grants("bluesky"),
    bindings: collection("bindings"),
    spent: collection("spent"),
    codes: collection("codes"),
    pushed: collection("pushed"),
    sessions: collection("sessions"),
    endedFamilies: collection("ended"),
    accounts: collection("accounts"),
    serviceTokens: collection("service-tokens"),
    blobs: collection("blobs"),
    records: collection("records"),
    jobs: collection("jobs"),
    uploads: collection("uploads"),
    proofs: new Map(),
    windows: fixedWindows(world.clock.now),
    switches: createSwitches(NewSwitches),
  };
}

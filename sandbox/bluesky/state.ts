import type { Collection } from "../core/journal";
import type { CodeBinding, Grants } from "../core/oauth";
import type { StoredMedia } from "../core/posts";
import { type FixedWindows, fixedWindows } from "../core/rate-limits";
import type { World } from "../core/world";
import type { ClientFacts } from "./client";

export type StoredBlob = {
  did: string;
  cid: string;
  mimeType: string;
  file: StoredMedia;
  storedAt: number;
  /** A record holds it; one that none holds goes after some hours. */
  isHeld: boolean;
};

export type StoredRecord = { uri: string; cid: string; rkey: string; did: string; value: Record<string, unknown> };

export type PushedRequest = {
  client: ClientFacts;
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
  /** All tokens that come from one sign-in. */
  family: string;
  expiresAt: number;
  /** Of a refresh token that was used: the pair that it gave, given again for a while. */
  next?: { accessJwt: string; refreshJwt: string; until: number };
};

export type ServiceToken = { did: string; aud: string; lxm?: string; expiresAt: number };

export type VideoJob = {
  id: string;
  did: string;
  state: string;
  /** How often it was asked about. */
  looks: number;
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

/** What a person changed about an account, by the control addresses. */
export type AccountFacts = {
  /** What the identity document says the handle is, where that is not what the handle leads to. */
  alias?: string;
  isEmailUnconfirmed?: boolean;
  isPasswordRevoked?: boolean;
  /** Its server is somebody's own, of a version with the lexicons of before 2026. */
  isOnOldServer?: boolean;
  status?: "takendown" | "deactivated";
};

/** What Bluesky remembers beside people and the ledger: one authorization server, one data server, the video service. */
export type BlueskyState = {
  world: World;
  grants: Grants;
  /** The key that a grant's tokens are bound to, by grant. */
  bindings: Collection<{ jkt: string; clientId: string }>;
  /** Refresh tokens that were used, by fingerprint: the grant. */
  spent: Collection<string>;
  codes: Collection<Omit<CodeBinding, "challengeMethod"> & { jkt: string; expiresAt: number }>;
  pushed: Collection<PushedRequest>;
  sessions: Collection<AppSession>;
  endedFamilies: Collection<true>;
  accounts: Collection<AccountFacts>;
  serviceTokens: Collection<ServiceToken>;
  blobs: Collection<StoredBlob>;
  records: Collection<StoredRecord>;
  jobs: Collection<VideoJob>;
  uploads: Collection<VideoUpload>;
  /** Proofs that were seen, until they would be too old anyway. */
  proofs: Map<string, number>;
  windows: FixedWindows;
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
  };
}

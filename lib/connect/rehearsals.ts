import type { Failure } from "./failure";

/** A way for a connect to go, as it can be tried out on the simulated networks. */
export type Rehearsal = {
  title: string;
  /** What the person of the rehearsal does on the network's page. */
  does: string;
  /** How it has to end. */
  ends: "connected" | Failure;
  /** What the simulated network does to which of our calls, once. */
  fault?: { operation: "token" | "profile"; fault: string; afterSeconds?: number };
  /** What is played when the browser opens the link. */
  played?: "missing permission" | "unavailable" | "fault";
  /** What is arranged before the browser leaves. */
  arranged?: "expired" | "changed" | "used" | "wrong browser" | "in use" | "suspended";
};

const ALLOW = "Press Allow.";
const NOTHING = "The link does not get that far.";

/** Every way that a partner's person can meet, by a name that addresses can hold. */
export const rehearsalWays = {
  "goes-well": { title: "All goes well", does: ALLOW, ends: "connected" },
  slow: {
    title: "The network is slow",
    does: "Press Allow, and wait for five seconds.",
    ends: "connected",
    fault: { operation: "token", fault: "slow", afterSeconds: 5 },
  },
  declined: { title: "The person says no", does: "Press Deny.", ends: "denied" },
  "permission-left-out": {
    title: "The person leaves a permission out",
    does: `${ALLOW} The simulated network gives everything but one permission.`,
    ends: "missing permission",
    played: "missing permission",
  },
  "code-refused": {
    title: "The network refuses its own code",
    does: ALLOW,
    ends: "network",
    fault: { operation: "token", fault: "invalid_grant" },
  },
  "network-error": {
    title: "The network has an error",
    does: ALLOW,
    ends: "network",
    fault: { operation: "token", fault: "http_500" },
  },
  "network-page": {
    title: "The network answers with a web page",
    does: ALLOW,
    ends: "network",
    fault: { operation: "token", fault: "http_502_html" },
  },
  "network-silent": {
    title: "The network's answer is lost",
    does: ALLOW,
    ends: "network",
    fault: { operation: "token", fault: "drop_response" },
  },
  "network-busy": {
    title: "The network has had too many calls",
    does: ALLOW,
    ends: "network",
    fault: { operation: "token", fault: "rate_limit" },
  },
  "half-way": {
    title: "The network breaks down half-way",
    does: ALLOW,
    ends: "network",
    fault: { operation: "profile", fault: "http_500" },
  },
  "in-use": {
    title: "The account is somebody else's",
    does: "Type the name below into “or anybody else”, and press Allow.",
    ends: "account in use",
    arranged: "in use",
  },
  "wrong-browser": {
    title: "The link was begun in another browser",
    does: ALLOW,
    ends: "wrong browser",
    arranged: "wrong browser",
  },
  expired: { title: "The link is too old", does: NOTHING, ends: "expired", arranged: "expired" },
  used: { title: "The link was used before", does: NOTHING, ends: "expired", arranged: "used" },
  changed: { title: "The link was changed on its way", does: NOTHING, ends: "expired", arranged: "changed" },
  suspended: { title: "The user is suspended", does: NOTHING, ends: "suspended", arranged: "suspended" },
  unavailable: {
    title: "The network is not set up here",
    does: NOTHING,
    ends: "unavailable",
    played: "unavailable",
  },
  fault: { title: "Something breaks on our side", does: NOTHING, ends: "fault", played: "fault" },
} satisfies { [way: string]: Rehearsal };

export type RehearsalWay = keyof typeof rehearsalWays;

export function rehearsalOf(way: string): Rehearsal | undefined {
  return Object.hasOwn(rehearsalWays, way) ? rehearsalWays[way as RehearsalWay] : undefined; // asked for just now
}

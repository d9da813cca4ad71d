import { brandingFrom, type ConnectFailure, connectFailureStatuses } from "@/lib/connect";
import type { Viewer } from "../pages";

/** Every failure that has a page, and its status. */
export const failures = Object.entries(connectFailureStatuses) as [ConnectFailure, number][]; // the keys of the table above

/** A partner with everything set, and a name that takes room. */
export const acme = brandingFrom("Acme", {
  displayName: "Acme Planner for people with very long names",
  accent: "#7a1fa2",
  homeUrl: "acmeplanner://home",
  logoUrl: "/oauth/logo/one",
});

/** In whose name a page can stand. */
export const viewers: { [look: string]: Viewer } = {
  "the dashboard's": { isOurs: true },
  "nobody's, of whom nothing is known": {},
  "a partner's": { branding: acme },
  "a partner's without anything set": { branding: brandingFrom("Acme", {}) },
};

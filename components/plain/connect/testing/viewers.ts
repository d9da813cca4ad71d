import { type ConnectFailure, type ConnectViewer, connectFailureStatuses } from "@/lib/connect";
import { brandingFrom } from "@/lib/partners";

/** Every failure that has a page, and its status. */
export const failures = Object.entries(connectFailureStatuses) as [ConnectFailure, number][]; // the keys of the table above

/** A partner with every branding setting and a long name. */
export const acme = brandingFrom("Acme", {
  displayName: "Acme Planner for people with very long names",
  accent: "#7a1fa2",
  homeUrl: "acmeplanner://home",
  logoUrl: "/oauth/logo/one",
});

/** The viewers of a page, by a short description. */
export const viewers: { [look: string]: ConnectViewer } = {
  "a dashboard user": { isOurs: true },
  "an unknown person": {},
  "a user of a partner with branding": { branding: acme },
  "a user of a partner without branding": { branding: brandingFrom("Acme", {}) },
};

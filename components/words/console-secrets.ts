/** The texts of what a partner's server signs in with, and of the emergency brake below it. */

export const clientId = "Client id, also the x-api-key of connect calls";
export const secrets = "Secrets";
/** When a secret was made, and how long it is good. */
export const secretsHead = ["Made", "Good"];
export const goodUntil = (time: string) => `until ${time}`;
export const inUse = "in use";
export const noSecret = "No secret is good: make a new one.";

export const newSecret = "New secret";
export const newSecretHow =
  "It is shown once. The one before stays good for 24 hours, so that servers can be changed one after the other.";
export const makeSecret = "Make a new secret";
export const endOld = "End the old secret now";

export const brake = "Emergency brake";
/** Stands in its place once it was pulled. */
export const suspended = "Suspended";
export const brakeHow =
  "Suspending refuses every call and every connect link within a second. Scheduled posts of end-users stay. Only the operator can let a suspended partner in again.";
export const suspend = "Suspend this partner";
export const resume = "Let this partner in again";

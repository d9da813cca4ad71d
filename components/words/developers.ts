/** The texts of what developers work with: forms for applications and tokens, requests, and calls made from a page. */

// What is shown once, after it was made.
export const copySecret = "Copy the secret now";
export const secretMeans = "It is shown this once. It belongs on your server only, never into a browser or an app.";
export const clientId = "Client id";
export const clientSecret = "Client secret";
export const copyToken = "Copy the token now";
export const tokenMeans =
  "It is shown this once. Whoever has it can do in your name what you chose; keep it as you keep a password.";
export const token = "Token";
/** `header` is a header of HTTP, name and value. */
export const sendItAs = "Send it as {header}";
/** Leads away from the page that shows it. */
export const copied = "I have copied it";

// The form of an application.
export const name = "Name";
export const nameHint = "People see it when they are asked to allow the application in.";
export const comeBackTo = "Where people come back to";
export const comeBackToHint =
  "One address on each line, compared character for character: https, http on localhost, or a scheme of your app with a dot.";
export const isPublic = "It cannot keep a secret";
export const isPublicHint = "An app on a phone or in a browser: it gets no secret and has to use PKCE.";
export const save = "Save";
export const createApplication = "Create the application";

// The secrets of an application.
export const secrets = "Secrets";
/** When a secret was made, and until when it is good. */
export const secretsHead = ["Made", "Good"];
export const noSecret = "No secret is good: make a new one.";
/** Below “Good”; the next one too. */
export const until = (time: string) => `until ${time}`;
export const inUse = "in use";
export const secretsHow =
  "A new secret is shown once. The one before stays good for 24 hours, so that servers can be changed one after the other.";
export const newSecret = "Make a new secret";
export const endOldSecret = "End the old secret now";

// The form of a token.
export const purpose = "What it is for";
export const purposeHint = "So that you know later which one to revoke.";
export const scopes = "What it may do";
export const lifetime = "How long it works";
export const days = (count: number) => (count === 365 ? "A year" : `${count} days`);
export const createToken = "Create the token";

// Requests that programs made.
/** The status of an answer, as HTTP has it, and what it means. */
export const refused = (status: number) => `${status} refused`;
export const failed = (status: number) => `${status} failed`;
/** How long a request took. */
export const took = (ms: number) => `${ms} ms`;
/** Stands for the name of what asked. */
export const goneToken = "A token that is gone";
/** Of a request in the list, and of the answer to a call; `id` is the id itself. */
export const requestId = "Request id {id}";

// A call made from the page.
export const call = "Call";
/** A value that may be left out. */
export const optional = (field: string) => `${field} (optional)`;
export const bodyCsv = "Body (CSV)";
export const bodyJson = "Body (JSON)";
export const send = "Send";
/** The same for a call that changes something. */
export const sendAndChange = "Send and change it";
export const waiting = "Waiting for the answer …";

// Its answer.
export const answer = "Answer";
export const noAnswer = "Carillon did not answer. Check your connection.";
export const status = (code: number) => `Status ${code}`;
/** Small beside the status: how long the answer took. */
export const after = (ms: number) => `in ${ms} ms`;
export const noBody = "No body.";

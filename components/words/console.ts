/** The texts that pages of the partners' console share: their frame, tables and forms, and answers without a page of the dashboard. */

/** What the ways to the pages are called by readers of the screen. */
export const nav = "Console";
export const overview = "Overview";
export const credentials = "Credentials";
export const branding = "Branding";
export const settings = "Settings";
export const users = "End-users";
export const attempts = "Connect attempts";
export const webhooks = "Webhooks";
export const requests = "Requests";
export const rehearsal = "Rehearsal";
export const partnerSuspended =
  "This partner is suspended: every call and every connect link is refused. The operator can let it in again.";

export const newPartner = "New partner";
export const name = "Name";
export const create = "Create";

/** On the button beside what is looked for. */
export const find = "Find";
export const save = "Save";

/** What was done with a partner lately, by whom, and to what or whom. */
export const done = "What was done";
export const doneHead = ["When", "What", "By", "To"];
export const nothingDone = "Nothing yet.";
export const endUser = "the end-user";

/** Of an attempt to connect: the address where the browser was to be sent. */
export const wasToEnd = "Was to end at {address}";
export const wasToEndAndConnected = "Was to end at {address}; connected {account} as account {id}";
/** When a step was taken, and how long it took in milliseconds. */
export const timeAndLength = (time: string, ms: number) => `${time}, ${ms} ms`;
/** What the network answered: an HTTP status, or that there was none, and what else it told. */
export const networkSaid = (answer: string) => `The network said: ${answer}`;
export const nothingSaid = "nothing";

/** What a new account needs before it can be used. */
export const ask = "Ask before connecting";
export const askHow =
  "A connect link first shows a page that names you and the user, and goes on when the person presses its button. Whoever was sent somebody else’s link sees it there.";
export const hold = "Hold new accounts";
/** `{id}` is how the API writes the gap in its address. */
export const holdHow =
  "A new account waits until your backend has confirmed it by POST /v1/accounts/{id}/confirm. The event account.connected tells its username; nothing is published on it before.";

export const notYours = "The address may be mistyped, or this is not yours to see.";

/** The page that shows a new credential. */
export const copySecret = "Copy the secret now";
export const shownOnce = (partner: string) =>
  `It is shown this once. It belongs on ${partner}'s server only, never into a browser or an app.`;
export const clientId = "Client id";
export const clientSecret = "Client secret";
export const copied = "I have copied it";

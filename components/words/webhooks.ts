/** The texts of the webhooks, their deliveries and their events. */

export const yours = "Your webhooks";
export const loading = "Loading webhooks";
export const couldNotLoad = (why: string) => `Could not load your webhooks: ${why}`;
export const noneYetAddOne = "None yet. Add the first one below.";
export const add = "Add a webhook";
export const addIt = "Add the webhook";
/** Why one is off, as it was noted: without a full stop. */
export const reason = (why: string) => `${why}.`;
export const kindsOfEvents = (count: number) => `${count} kinds of events`;
export const on = "On";
export const off = "Off";

// The form.
export const address = "Address";
export const description = "Description {optional}";
export const optional = "(optional)";
export const events = "Events";
export const oneMoment = "One moment…";

// One webhook.
export const all = "All webhooks";
export const webhook = "Webhook";
export const loadingOne = "Loading the webhook";
export const couldNotLoadOne = (why: string) => `Could not load this webhook: ${why}`;
export const isOff = "This webhook is off.";
export const isOffBecause = (why: string) => `This webhook is off: ${why}.`;
export const switchOn = "Switch it on";
export const addressAndEvents = (count: number) => `Address and events (${count})`;
export const keep = "Keep";
export const kept = "Kept.";
export const secretIsNew = "Its secret, shown only now. Put it where your receiver verifies signatures:";
export const secretBefore = "The secret before works for another 24 hours.";
export const sendTest = "Send a test";
export const testSent = "A test was sent. What it was answered stands below.";
export const newSecret = "New secret";
export const newSecretQuestion = "Give it a new secret?";
export const newSecretMeans =
  "The one of now goes on signing beside the new one for 24 hours, so your receiver has time to change.";
export const remove = "Delete";
export const removeQuestion = "Delete this webhook?";
export const removeMeans = "Nothing more is sent to it, and what was sent is forgotten.";

// What was sent to it.
export const deliveries = "Deliveries";
export const loadingDeliveries = "Loading deliveries";
export const couldNotLoadDeliveries = (why: string) => `Could not load the deliveries: ${why}`;
export const nothingSent = "Nothing was sent yet. A test shows whether it arrives.";
export const older = "Show older ones";
export const loadingOlder = "Loading…";
export const underWay = "Under way";
export const delivered = "Delivered";
export const failed = "Failed";
export const nextAttempt = (when: string) => `Tried again at ${when}`;
export const neverSent = "Never sent: the webhook was switched off before.";
/** The line that opens what was sent, and what each attempt was answered. */
export const request = (answers: number) => {
  if (answers === 0) return "Request";
  return answers === 1 ? "Request and its answer" : `Request and its ${answers} answers`;
};
export const body = "Body";
export const answered = (when: string, status: number, ms: number) => `${when}: answered ${status} after ${ms} ms`;
export const noAnswer = (when: string, ms: number) => `${when}: no answer after ${ms} ms`;
export const sendAgain = "Send again";
/** Its name for who does not see where the button stands: an event's type, and the delivery's number. */
export const sendThisAgain = (type: string, id: string) => `Send ${type} again, ${id}`;
export const sending = "Sending…";

// A partner's, as its members see them.
export const noneYet = "None yet.";
export const numbered = (id: number, events: string) => `Webhook ${id} · ${events}`;
/** `webhooks` and `deliveries` are paths of the API. */
export const howPartnersChange =
  "Made, changed and switched on again by the partner's own calls to {webhooks}, without an identity header; {deliveries} shows each attempt. Members get a mail when one is switched off.";

/** When something happened. @param time such as `2026-11-23 09:30:00` */
export const inUtc = (time: string) => `${time} UTC`;

// What a form lacks.
export const giveAddress = "Give the address.";
export const chooseEvent = "Choose at least one event.";

/** The texts of webhooks, their deliveries and their events. */
export const webhookWords = {
  yours: "Your webhooks",
  couldNotLoad: (why: string) => `Could not load your webhooks: ${why}`,
  noneYetAddOne: "No webhooks yet. Add the first one.",
  add: "Add a webhook",
  addIt: "Add the webhook",
  /** The stored reason why one is off, without a full stop. */
  reason: (why: string) => `${why}.`,
  kindsOfEvents: (count: number) => `${count} kinds of events`,
  on: "On",
  off: "Off",

  // The form.
  address: "Address",
  description: "Description {optional}",
  optional: "(optional)",
  events: "Events",
  oneMoment: "One moment…",

  // One webhook.
  all: "All webhooks",
  webhook: "Webhook",
  loadingOne: "Loading the webhook",
  couldNotLoadOne: (why: string) => `Could not load this webhook: ${why}`,
  isOff: "This webhook is off.",
  isOffBecause: (why: string) => `This webhook is off: ${why}.`,
  switchOn: "Switch it on",
  addressAndEvents: (count: number) => `Address and events (${count})`,
  keep: "Save",
  kept: "Saved.",
  secretIsNew: "Its secret, shown only once. Your receiver needs it to verify signatures:",
  secretBefore: "The previous secret works for another 24 hours.",
  sendTest: "Send a test",
  testSent: "A test was sent. The answer is below.",
  newSecret: "New secret",
  newSecretQuestion: "Create a new secret?",
  newSecretMeans:
    "The current secret keeps signing next to the new one for 24 hours, so your receiver has time to change.",
  remove: "Delete",
  removeQuestion: "Delete this webhook?",
  removeMeans: "Nothing more is sent to it, and its deliveries are deleted.",

  // What was sent to it.
  deliveries: "Deliveries",
  loadingDeliveries: "Loading deliveries",
  couldNotLoadDeliveries: (why: string) => `Could not load the deliveries: ${why}`,
  nothingSent: "Nothing has been sent yet. Send a test to see whether it arrives.",
  older: "Show older",
  loadingOlder: "Loading…",
  underWay: "Sending",
  tryingAgain: "Trying again",
  delivered: "Delivered",
  failed: "Failed",
  nextAttempt: (when: string) => `Next try at ${when}`,
  neverSent: "Never sent, because the webhook was switched off before.",
  /** The line that opens the request and what came back from each attempt, if anything did. */
  request: (attempts: number) => {
    if (attempts === 0) return "Request";
    return attempts === 1 ? "Request and 1 attempt" : `Request and ${attempts} attempts`;
  },
  body: "Body",
  answered: (when: string, status: number, ms: number) => `${when}: answered ${status} after ${ms} ms`,
  noAnswer: (when: string, ms: number) => `${when}: no answer after ${ms} ms`,
  sendAgain: "Send again",
  /** The button's name for screen readers: the event's type and the delivery's number. */
  sendThisAgain: (type: string, id: string) => `Send ${type} again, ${id}`,
  sending: "Sending…",

  // A partner's, as its members see them.
  noneYet: "No webhooks yet.",
  numbered: (id: number, events: string) => `Webhook ${id} · ${events}`,
  /** `webhooks` and `deliveries` are paths of the API. */
  howPartnersChange:
    "The partner’s own calls to {webhooks}, without an identity header, create and change these webhooks and switch them on. {deliveries} shows each attempt. Members get an email when one is switched off.",

  // What is missing in a form.
  giveAddress: "Enter the address.",
  chooseEvent: "Choose at least one event.",

  page: {
    webhooks: "Webhooks",
    webhooksLead: "Your addresses that receive signed events.",
    webhook: "Webhook",
    events: "Events",
    eventsLead: "What has happened in the last 30 days, newest first.",
    noEvents: "No events yet.",
    older: "Show older",
  },
} as const;

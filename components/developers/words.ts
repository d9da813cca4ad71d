/** The texts of the pages for developers. */
export const developerWords = {
  // Shown once, after it was created.
  copySecret: "Copy the secret now",
  secretMeans: "It is shown this once. It belongs on your server only, never into a browser or an app.",
  clientId: "Client id",
  clientSecret: "Client secret",
  copyToken: "Copy the token now",
  tokenMeans:
    "It is shown this once. Whoever has it can do in your name what you chose; keep it as you keep a password.",
  token: "Token",
  /** `header` is a header of HTTP, name and value. */
  sendItAs: "Send it as {header}",
  /** Leads away from the page that shows it. */
  copied: "I have copied it",

  // The form of an application.
  name: "Name",
  nameHint: "People see it when they are asked to allow the application in.",
  comeBackTo: "Where people come back to",
  comeBackToHint:
    "One address on each line, compared character for character: https, http on localhost, or a scheme of your app with a dot.",
  isPublic: "It cannot keep a secret",
  isPublicHint: "An app on a phone or in a browser: it gets no secret and has to use PKCE.",
  save: "Save",
  createApplication: "Create the application",

  // The secrets of an application.
  secrets: "Secrets",
  /** When a secret was made, and until when it is good. */
  secretsHead: ["Made", "Good"],
  noSecret: "No secret is good: make a new one.",
  /** Below “Good”; the next one too. */
  until: (time: string) => `until ${time}`,
  inUse: "in use",
  secretsHow:
    "A new secret is shown once. The one before stays good for 24 hours, so that servers can be changed one after the other.",
  newSecret: "Make a new secret",
  endOldSecret: "End the old secret now",

  // The form of a token.
  purpose: "What it is for",
  purposeHint: "So that you know later which one to revoke.",
  scopes: "What it may do",
  lifetime: "How long it works",
  days: (count: number) => (count === 365 ? "A year" : `${count} days`),
  createToken: "Create the token",

  // Requests that programs made.
  /** The status of an answer, as HTTP has it, and what it means. */
  refused: (status: number) => `${status} refused`,
  failed: (status: number) => `${status} failed`,
  /** How long a request took. */
  took: (ms: number) => `${ms} ms`,
  /** In place of the name of the caller. */
  goneToken: "A token that is gone",
  /** Of a request in the list, and of the answer to a call; `id` is the id itself. */
  requestId: "Request id {id}",

  // A call made from the page.
  call: "Call",
  /** Leads to the call's page in the documentation. */
  aboutCall: "Read about this call",
  /** A value that may be left out. */
  optional: (field: string) => `${field} (optional)`,
  bodyCsv: "Body (CSV)",
  bodyJson: "Body (JSON)",
  send: "Send",
  /** The same for a call that changes something. */
  sendAndChange: "Send and change it",
  waiting: "Waiting for the answer …",

  // Its answer.
  answer: "Answer",
  noAnswer: "Carillon did not answer. Check your connection.",
  status: (code: number) => `Status ${code}`,
  /** Small beside the status: how long the answer took. */
  after: (ms: number) => `in ${ms} ms`,
  noBody: "No body.",

  places: {
    /** The name of the bar for screen readers. */
    developers: "Developers",
    overview: "Overview",
    applications: "Applications",
    tokens: "Tokens",
    requests: "Requests",
    tryApi: "Try the API",
  },

  pages: {
    developers: "Developers",
    developersLead: "Programs that publish in your name, and in others’.",
    tokensOf: (count: number) => `Personal tokens (${count})`,
    tokensAbout: "For scripts of your own: they act as you, within what you choose.",
    applicationsOf: (count: number) => `Applications (${count})`,
    applicationsAbout: "For other people: each allows your application in, and can end that.",
    requestsAbout: "What was asked of the API lately in your name, and how each ended.",
    tryAbout: "Every call, with your own account, from this page.",
    webhooks: "Webhooks",
    webhooksAbout: "Addresses of yours that are told what happens, signed.",
    events: "Events",
    eventsAbout: "Everything that has happened, as webhooks tell it.",
    gettingStarted: "Getting started",
    gettingStartedAbout: "The whole way, command by command.",
    reference: "API reference",
    referenceAbout: "Every call, field and error, with examples.",

    tryApi: "Try the API",
    tryLead: "Calls are made as you, with your own account: what you change here is changed.",

    requests: "Requests",
    requestsLead: "What was asked in your name with tokens and by applications, kept for seven days.",
    noSuchRequest: "No such request in the last seven days.",
    noRequests: "Nothing yet: make a token and call the API.",
    requestId: "Request id",
    onlyFailed: "Only what was refused or failed",
    show: "Show",
    older: "Show older ones",
    /** `header` is a name. */
    whatIsKept:
      "No bodies, no tokens, and of a query only the names. Every answer brings its id as {header}. In bursts of more than 25 requests a second not each one is kept; those that failed come first. It can take a few seconds until a request is here.",

    tokens: "Personal tokens",
    tokensLead: "For scripts of your own: they act as you.",
    yourTokens: "Your tokens",
    none: "None yet. Create the first one below.",
    newToken: "New token",
    /** In place of the name of a token without one. */
    fromCommandLine: "Made at the command line",
    made: (time: string) => `made ${time}`,
    madeAndEnds: (time: string, end: string) => `made ${time}, works until ${end}`,
    lastUsed: (time: string) => `last used ${time}`,
    neverUsed: "not used yet",
    revoke: "Revoke",
    revokeToken: (name: string) => `Revoke ${name}`,

    applications: "Applications",
    applicationsLead: "Programs that other people allow to act for them (OAuth 2.0, authorization code).",
    yourApplications: "Your applications",
    withSecret: (since: string) => `with a secret · since ${since}`,
    withoutSecret: (since: string) => `without a secret · since ${since}`,
    suspended: "Suspended by the operator",
    newApplication: "New application",

    application: "Application",
    applicationLead: "An application of yours.",
    saved: "Saved.",
    suspendedWhat: "The operator suspended this application: every call of it is refused.",
    clientId: "Client id",
    isPublic: "It has no secret, because it could not keep one: it has to use PKCE (S256).",
    remove: "Delete this application",
    removeWhat:
      "Everybody who allowed it in is let go: its tokens end at once, and it cannot be brought back. What it has scheduled stays.",
    removeForGood: (name: string) => `Delete ${name} for good`,
  },
} as const;

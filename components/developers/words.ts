/** The texts of the pages for developers. */
export const developerWords = {
  // Shown once, after it was created.
  copySecret: "Copy the secret now",
  secretMeans: "It is shown only once. Keep it on your server. Never put it into a browser or an app.",
  clientId: "Client ID",
  clientSecret: "Client secret",
  copyToken: "Copy the token now",
  tokenMeans:
    "It is shown only once. Anyone who has it can do what you chose in your name, so keep it like a password.",
  token: "Token",
  /** `header` is a header of HTTP, name and value. */
  sendItAs: "Send it as {header}",
  /** Leads away from the page that shows it. */
  copied: "I have copied it",

  // The form of an application.
  name: "Name",
  nameHint: "People see it when they are asked to allow the application.",
  comeBackTo: "Return addresses",
  comeBackToHint:
    "One address per line: https, http on localhost, or a scheme of your app with a dot. Each must match exactly.",
  isPublic: "It cannot keep a secret",
  isPublicHint: "For apps on phones or in browsers. It gets no secret and must use PKCE.",
  save: "Save",
  createApplication: "Create the application",

  // The secrets of an application.
  secrets: "Secrets",
  /** When a secret was created, and how long it is valid. */
  secretsHead: ["Created", "Valid"],
  noSecret: "No secret is valid. Create a new one.",
  /** Below “Valid”; the next one too. */
  until: (time: string) => `until ${time}`,
  inUse: "in use",
  secretsHow:
    "A new secret is shown only once. The previous one stays valid for 24 hours, so that you can change your servers one by one.",
  newSecret: "Create a new secret",
  endOldSecret: "Revoke the old secret now",

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
  goneToken: "A deleted token",
  /** Of a request in the list, and of the answer to a call; `id` is the id itself. */
  requestId: "Request ID {id}",

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
  /** Beside a box, at a call that can publish. */
  forReal: (networks: string[]) =>
    networks.length > 0
      ? `Publish for real on ${new Intl.ListFormat("en").format(networks)}`
      : "Publish on the simulated networks. No post leaves this installation.",
  rehearsed: "Without it, you only see what would happen. Nothing is stored.",
  notRehearsed: "This call cannot be tried without publishing.",
  /** The button, without and with the box. */
  rehearse: "Show what would happen",
  sendAndPublish: "Send and publish",
  waiting: "Waiting for the answer …",

  // Its answer.
  answer: "Answer",
  noAnswer: "Carillon did not answer. Check your connection.",
  status: (code: number) => `Status ${code}`,
  /** Small beside the status: how long the answer took. */
  after: (ms: number) => `in ${ms} ms`,
  noBody: "No body.",

  pages: {
    developers: "Developers",
    developersLead: "Programs that publish in your name or for other people.",
    tokensOf: (count: number) => `Personal tokens (${count})`,
    tokensAbout: "For your own scripts. They act as you, within the scopes that you choose.",
    applicationsOf: (count: number) => `Applications (${count})`,
    applicationsAbout: "For other people. Each person allows your application and can revoke it.",
    requestsAbout: "The latest API requests in your name, and how each ended.",
    tryAbout: "Every call, with your own account, from this page.",
    webhooks: "Webhooks",
    webhooksAbout: "Your addresses that receive signed events.",
    events: "Events",
    eventsAbout: "Everything that has happened, as webhooks report it.",
    gettingStarted: "Getting started",
    gettingStartedAbout: "From the first token to a published post, command by command.",
    reference: "API reference",
    referenceAbout: "Every call, field and error, with examples.",

    tryApi: "Try the API",
    tryLead:
      "Calls act for you, with your own accounts. What you change here is really changed. A call that can publish first shows what would happen.",

    requests: "Requests",
    requestsLead: "What tokens and applications requested in your name, kept for seven days.",
    noSuchRequest: "No such request in the last seven days.",
    noRequests: "No requests yet. Create a token and call the API.",
    requestId: "Request ID",
    onlyFailed: "Only refused or failed requests",
    show: "Show",
    older: "Show older",
    /** `header` is a name. */
    whatIsKept:
      "Bodies, tokens and the values of a query are not kept. Every answer has its ID in {header}. Of more than 25 requests a second, only some are kept, and failures come first. A request appears here after a few seconds.",

    tokens: "Personal tokens",
    tokensLead: "For your own scripts. They act as you.",
    yourTokens: "Your tokens",
    none: "None yet. Create the first one.",
    newToken: "New token",
    /** In place of the name of a token without one. */
    fromCommandLine: "Created at the command line",
    made: (time: string) => `Created ${time}`,
    madeAndEnds: (time: string, end: string) => `Created ${time}, valid until ${end}`,
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
    applicationLead: "One of your applications.",
    saved: "Saved.",
    suspendedWhat: "The operator has suspended this application. All its calls are refused.",
    clientId: "Client ID",
    isPublic: "It has no secret, because it cannot keep one. It must use PKCE (S256).",
    remove: "Delete this application",
    removeWhat:
      "All its tokens stop working at once, for everyone who allowed it. This cannot be undone. Posts that it has scheduled stay.",
    removeForGood: (name: string) => `Delete ${name} for good`,
  },
} as const;

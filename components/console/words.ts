const languages: { [language: string]: string } = { en: "English", de: "Deutsch" };

/** The texts of the partners' console. */
export const consoleWords = {
  /** The name of the navigation for screen readers. */
  nav: "Console",
  overview: "Overview",
  credentials: "Credentials",
  branding: "Branding",
  settings: "Settings",
  users: "Customers",
  attempts: "Connect attempts",
  webhooks: "Webhooks",
  requests: "Requests",
  rehearsal: "Rehearsal",
  membersPlace: "Members",
  partnerSuspended:
    "This partner is suspended: every call and every connect link is refused. The operator can let it in again.",

  newPartner: "New partner",
  name: "Name",
  create: "Create",

  /** On the search button. */
  find: "Find",
  save: "Save",

  /** The latest actions on a partner: who did what to whom. */
  done: "What was done",
  doneHead: ["When", "What", "By", "To"],
  nothingDone: "Nothing yet.",
  endUser: "the customer",

  /** Of an attempt to connect: the address where the browser was to be sent. */
  wasToEnd: "Was to end at {address}",
  wasToEndAndConnected: "Was to end at {address}; connected {account} as account {id}",
  /** When a step was taken, and how long it took in milliseconds. */
  timeAndLength: (time: string, ms: number) => `${time}, ${ms} ms`,
  /** The network's answer: an HTTP status or its absence, and details. */
  networkSaid: (answer: string) => `The network said: ${answer}`,
  nothingSaid: "nothing",

  /** What a new account needs before it can be used. */
  ask: "Ask before connecting",
  askHow:
    "A connect link first shows a page that names you and the user, and goes on when the person presses its button. Whoever was sent somebody else’s link sees it there.",
  hold: "Hold new accounts",
  /** `{id}` is how the API writes the gap in its address. */
  holdHow:
    "A new account waits until your backend has confirmed it by POST /v1/accounts/{id}/confirm. The event account.connected tells its username; nothing is published on it before.",

  notYours: "The address may be mistyped, or this is not yours to see.",

  notAllowed: "Your role does not allow this",
  notAllowedWhy: "An owner of this partner can do it, or give you another role.",
  lookOnly: "You can look at this page. Your role does not allow changes.",

  members: {
    title: "Members",
    lead: "Who can open this console. The operator of this service adds members.",
    head: ["Member", "Role", "Since", "Access"],
    none: "This partner has no members.",
    role: (email: string) => `Role of ${email}`,
    roles: { owner: "Owner", developer: "Developer", viewer: "Viewer" },
    save: "Save",
    saveRole: (email: string) => `Save the role of ${email}`,
    remove: "Remove",
    removeMember: (email: string) => `Remove ${email}`,
    leave: "Leave this console",
    unknownRole: "Choose one of the roles",
    rolesTitle: "What the roles may do",
    rights: {
      owner:
        "sees everything, creates and ends secrets, suspends the partner, changes settings and branding, and manages members.",
      developer: "sees everything, changes settings and branding, and rehearses connecting.",
      viewer: "sees everything and changes nothing.",
    },
    lastOwner: "The last owner can be neither removed nor given another role.",
  },

  /** The page that shows a new credential. */
  copySecret: "Copy the secret now",
  shownOnce: (partner: string) =>
    `It is shown this once. It belongs on ${partner}'s server only, never into a browser or an app.`,
  clientId: "Client id",
  clientSecret: "Client secret",
  copied: "I have copied it",

  brandingForm: {
    name: "Name",
    /** `partner` is the name that was given to the partner here. */
    nameHint: (partner: string) => `As your users know you; otherwise ${partner}.`,
    accent: "Accent colour",
    /** Opens the browser's colour picker. `field` is the label of the colour. */
    choose: (field: string) => `Choose the ${field.toLowerCase()}`,
    accentHint: "Such as #0b655c, for light pages.",
    accentDark: "Accent colour, dark",
    accentDarkHint: "Otherwise made from the other.",
    language: "Language",
    languageHint: "Otherwise each person's browser decides.",
    /** The language that the person's browser asks for. */
    browsers: "The browser's",
    /** Each as it calls itself. */
    languages,
    wayBack: "Way back",
    wayBackHint: "Where “Back to …” leads: https, or a link of your app.",
    logo: "Logo",
    logoHint: "An image of at most 1 MB, about five times as wide as high. The preview shows it once it is saved.",
    logoAlt: "The logo",
    withoutLogo: "Take the logo away",
    save: "Save",

    preview: "Preview",
    previewWhat: "A person who did not allow the connection sees this, in the light or dark theme of their device.",
    /** The name of the preview's frame for screen readers. */
    previewFrame: "Preview of a connect page",

    /** Begins with the field's name, as the API says it. */
    logoTooLarge: "logo must have at most 1 MB",
    unread: "The form could not be read",
  },

  rehearsalForm: {
    network: "Network",
    /** `redirectUri` is the field's name in the API. */
    redirectUri: "Your redirectUri",
    redirectUriExample: "https://acme.example/connected or com.acme.app:/done",
    redirectUriHint: "It is checked and shown, but not opened.",
    rehearse: "Rehearse",
    /** The button's name for screen readers; there is one for each kind of link. */
    rehearseOne: (link: string) => `Rehearse: ${link}`,
    links: {
      new: {
        title: "A new link",
        steps:
          "On the simulated network’s page, press Allow or Deny, leave out a permission, or choose a failure before you press Allow.",
      },
      expired: { title: "The link is too old", steps: "The link opens a page that offers no new link." },
      changed: { title: "The link was changed on its way", steps: "The link opens a page that says it is not valid." },
      used: { title: "The link was used before", steps: "An account was connected with this link before you open it." },
      "other-browser": {
        title: "The link was opened in another browser",
        steps: "Press Allow. Connecting cannot be finished in this browser.",
      },
      "account-in-use": {
        title: "The account belongs to another user",
        /** `name` is the name to type. */
        steps: "Type {name} into “or another name” and press Allow.",
      },
      "suspended-user": { title: "The user is suspended", steps: "The link opens a page that says so." },
    },

    results: "Latest rehearsals",
    connected:
      "Connected. The browser would have been sent to your address, byte for byte and with nothing appended: {request}",
    whenItFails:
      "If connecting fails, the browser is not sent to your address. The person sees a page with the next step.",
    noResults: "Nothing has been rehearsed in the last 30 days.",
  },

  chart: {
    title: "Posts each day",
    none: "No posts in the last 30 days.",
    how: "By the day for which a post was scheduled, in UTC. A post counts once for each account.",
    outcomes: { published: "Published", failed: "Failed", unknown: "Outcome unknown" },
    /** The chart for screen readers. `counts`: "1,204 published, 3 failed" */
    summary: (from: string, to: string, counts: string) => `Posts each day from ${from} to ${to}: ${counts}`,
    /** One bar; `counts` is empty if nothing was published. */
    ofDay: (day: string, counts: string) => `${day}: ${counts || "no posts"}`,
    asTable: "Show as a table",
    day: "Day",

    /** The numbers above the chart. */
    published: "Published, 30 days",
    failed: "Failed, 30 days",
    calls: "API calls this month",
    toReconnect: "Accounts that need reconnecting",
  },

  secrets: {
    clientId: "Client id, also the x-api-key of connect calls",
    secrets: "Secrets",
    /** When a secret was created and when it expires. */
    secretsHead: ["Made", "Good"],
    goodUntil: (time: string) => `until ${time}`,
    inUse: "in use",
    noSecret: "No secret is good: make a new one.",

    newSecret: "New secret",
    newSecretHow:
      "It is shown once. The one before stays good for 24 hours, so that servers can be changed one after the other.",
    makeSecret: "Make a new secret",
    endOld: "End the old secret now",
    onlyOwners: "Only owners can create a secret. You are asked for your password first.",
    endAllTitle: "The secret has leaked",
    endAllHow:
      "Ends every secret and every access token at once, without creating a secret. The partner’s owners get an email and create a new one on this page; until then, all of the partner’s calls are refused. You do not see the new secret.",
    endAll: "End all secrets and tokens",

    brake: "Emergency brake",
    /** In its place once it was pressed. */
    suspended: "Suspended",
    brakeHow:
      "Suspending refuses every call and every connect link within a second. Scheduled posts of customers stay. Only the operator can let a suspended partner in again.",
    suspend: "Suspend this partner",
    resume: "Let this partner in again",
  },

  pages: {
    partners: "Partners",
    partnersLead: "Whose backends act for their own customers.",
    partnersHead: ["Partner", "Client id", "State", "Since"],
    noPartners: "There is no partner yet.",
    active: "Active",
    suspended: "Suspended",
    beingDeleted: "Being deleted",

    overview: "Overview",
    overviewLead: "What your customers publish, and what was done here.",
    usage: "Usage",
    usageByMonth: "Usage by month",
    usageHead: ["Month", "New customers", "New accounts", "Posts", "API calls"],
    noUsage: "Nothing yet.",
    usageHow:
      "Counted in what is there now: whoever was deleted no longer counts. API calls are added every few seconds.",
    whatWasDone: "What was done",

    credentials: "Credentials",
    credentialsLead: "What the partner's server signs in with.",

    branding: "Branding",
    brandingLead: "How your users see the connect pages.",
    brandingSaved: "Saved. The next connect page shows it.",

    settings: "Settings",
    settingsLead: "What decides whether a connect link ends in a usable account.",
    settingsSaved: "Saved. It holds for the next connect link that is opened.",

    users: "Customers",
    usersLead: "Whom the partner provisioned.",
    ownId: "Your own id of the user",
    usersHead: ["Your id", "Name", "Accounts", "State", "Since"],
    nobodyLikeThis: "Nobody has this id.",
    nobodyYet: "Nobody yet: POST /v1/connect/users provisions the first one.",
    /** How many accounts a user has, and how many of them must be reconnected. */
    accountsUnwell: (accounts: number, unwell: number) => `${accounts}, ${unwell} need reconnecting`,
    older: "Show older ones",

    user: "Customer",
    /** `id` is the partner's own. */
    userLead: (name: string, id: string) => `${name}, your ${id}.`,
    accounts: "Accounts",
    accountsHead: ["Account", "Network", "State", "Since", "Permission"],
    noAccounts: "No account is connected.",
    connected: "Connected",
    held: "Held until you confirm it",
    toReconnect: "Needs reconnecting: the network asks for it",
    toReconnectWhy: (why: string) => `Needs reconnecting: ${why}`,
    permissionEnds: (time: string) => `ends ${time}`,
    permissionStays: "renewed by itself",
    howToReconnect:
      "To have one connected again, ask for a new address by POST /v1/connect/authorize-url and open it for this user: the account keeps its id. Carillon’s id of the user is {id}.",

    attempts: "Connect attempts",
    attemptsLead: "Step by step, without secrets; kept for 30 days.",
    code: "The code that the person quotes",
    noSuchAttempt: "No attempt of your users has this code.",
    noAttempts: "None in the last 30 days.",

    webhooks: "Webhooks",
    webhooksLead: "Addresses that receive the events of all customers.",

    requests: "Requests",
    requestsLead: "What your servers asked in the last seven days; of bursts a part, what failed first.",
    requestId: "Request id, as X-Request-Id says it",
    noSuchRequest: "No such request in the last seven days.",
    noRequests: "Nothing yet.",

    rehearsal: "Rehearsal",
    rehearsalLead:
      "Opens connect links on simulated networks for test users. Their externalUserId starts with rehearsal-, and you can delete them like other users.",
    noSimulated:
      "This installation has no simulated networks. Rehearse on one that has: on any machine, npm start brings them along.",
  },
} as const;

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
    "This partner is suspended. Every call and every connect link is refused until the operator lifts the suspension.",

  newPartner: "New partner",
  name: "Name",
  create: "Create",

  /** On the search button. */
  find: "Find",
  save: "Save",

  /** The latest actions on a partner: who did what to whom. */
  done: "Activity",
  doneHead: ["Time", "Action", "By", "Affected"],
  nothingDone: "No activity yet.",
  endUser: "the customer",

  /** Of an attempt to connect: the address where the browser was to be sent. */
  wasToEnd: "Return address: {address}",
  wasToEndAndConnected: "Return address: {address}. Connected {account} as account {id}.",
  /** When a step was taken, and how long it took in milliseconds. */
  timeAndLength: (time: string, ms: number) => `${time}, ${ms} ms`,
  /** The network's answer: an HTTP status or its absence, and details. */
  networkSaid: (answer: string) => `The network answered: ${answer}`,
  nothingSaid: "nothing",

  /** What a new account needs before it can be used. */
  ask: "Ask before connecting",
  askHow:
    "A connect link first opens a page that names you and the user. It continues when the person presses the button. Someone who was sent another person’s link notices it there.",
  hold: "Hold new accounts",
  /** `{id}` is how the API writes the gap in its address. */
  holdHow:
    "A new account waits until your backend confirms it with POST /v1/accounts/{id}/confirm. The event account.connected contains its username. Nothing is published on the account before you confirm it.",

  notYours: "The address is mistyped, or you have no access to it.",

  notAllowed: "Your role does not allow this",
  notAllowedWhy: "Ask an owner of this partner to do it or to give you another role.",
  lookOnly: "Your role can read this page but not change it.",

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
        "sees everything, creates and revokes secrets, suspends the partner, changes settings and branding, and manages members.",
      developer: "sees everything, changes settings and branding, and rehearses connecting.",
      viewer: "sees everything and changes nothing.",
    },
    lastOwner: "The last owner cannot be removed or given another role.",
  },

  /** The page that shows a new credential. */
  copySecret: "Copy the secret now",
  shownOnce: (partner: string) =>
    `It is shown only once. Keep it on ${partner}'s server. Never put it into a browser or an app.`,
  clientId: "Client ID",
  clientSecret: "Client secret",
  copied: "I have copied it",

  brandingForm: {
    name: "Name",
    /** `partner` is the name that was given to the partner here. */
    nameHint: (partner: string) => `The name that your customers know. If empty: ${partner}.`,
    accent: "Accent colour",
    /** Opens the browser's colour picker. `field` is the label of the colour. */
    choose: (field: string) => `Choose the ${field.toLowerCase()}`,
    accentHint: "For light pages, for example #0b655c.",
    accentDark: "Accent colour, dark",
    accentDarkHint: "If empty, it is derived from the accent colour.",
    language: "Language",
    languageHint: "The language of the connect pages.",
    /** The language that the person's browser asks for. */
    browsers: "Same as the browser",
    /** Each as it calls itself. */
    languages,
    wayBack: "Return link",
    wayBackHint: "Where “Back to …” leads: an https address or a link of your app.",
    logo: "Logo",
    logoHint: "An image of at most 1 MB, about five times as wide as high. The preview shows it once it is saved.",
    logoAlt: "The logo",
    withoutLogo: "Remove the logo",
    save: "Save",

    preview: "Preview",
    previewWhat: "What a person sees who did not allow the connection, in the light or dark theme of their device.",
    /** The name of the preview's frame for screen readers. */
    previewFrame: "Preview of a connect page",

    /** Begins with the field's name, as the API says it. */
    logoTooLarge: "logo must have at most 1 MB",
    unread: "The form could not be read. Send it again.",
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
          "On the simulated network’s page, press Allow or Deny. Before you press Allow, you can leave out a permission or choose a failure.",
      },
      expired: { title: "The link has expired", steps: "The link opens a page that offers no new link." },
      changed: { title: "The link was changed", steps: "The link opens a page that says it is not valid." },
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
    connected: "Connected. The browser would have been sent to exactly your address, with nothing appended: {request}",
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
    clientId: "Client ID, also the x-api-key of connect calls",
    secrets: "Secrets",
    /** When a secret was created and when it expires. */
    secretsHead: ["Created", "Valid"],
    goodUntil: (time: string) => `until ${time}`,
    inUse: "in use",
    noSecret: "No secret is valid. Create a new one.",

    newSecret: "New secret",
    newSecretHow:
      "It is shown only once. The previous secret stays valid for 24 hours, or until the end that the table shows, so that you can change your servers one by one.",
    makeSecret: "Create a new secret",
    endOld: "Revoke the old secret now",
    onlyOwners: "Only owners can create a secret.",
    retireHow:
      "As staff, you can rotate the secret without seeing the new one: the secret in use ends in 24 hours, and the partner’s owners get an email and create the new one on this page.",
    retire: "Rotate the secret",
    noOwner:
      "The secret cannot be rotated, because this partner has no owner who could create the new one. The operator adds an owner with “partners add-member”.",
    retiring: (time: string) => `The secret in use ends on ${time}. An owner must create the new one before then.`,
    endAllTitle: "The secret has leaked",
    endAllHow:
      "Revokes every secret and every access token at once, disables the webhooks and creates no new secret. The partner’s owners get an email and create a new secret on this page. Until then, all of the partner’s calls are refused. You do not see the new secret.",
    endAll: "Revoke all secrets and tokens",

    brake: "Emergency stop",
    /** In its place once it was pressed. */
    suspended: "Suspended",
    brakeHow:
      "A suspended partner’s calls and connect links are refused within a second. Its customers’ scheduled posts stay. Only the operator can lift the suspension.",
    suspend: "Suspend this partner",
    resume: "Lift the suspension",
  },

  pages: {
    partners: "Partners",
    partnersLead: "Companies whose backends act for their own customers.",
    partnersHead: ["Partner", "Client ID", "State", "Since"],
    noPartners: "There is no partner yet.",
    active: "Active",
    suspended: "Suspended",
    beingDeleted: "Being deleted",

    overview: "Overview",
    overviewLead: "What your customers publish, and the latest activity.",
    usage: "Usage",
    usageByMonth: "Usage by month",
    usageHead: ["Month", "New customers", "New accounts", "Posts", "API calls"],
    noUsage: "No usage yet.",
    usageHow: "Deleted customers, accounts and posts do not count. API calls are updated every few seconds.",
    whatWasDone: "Activity",

    credentials: "Credentials",
    credentialsLead: "The ID and the secrets that the partner's server signs in with.",

    branding: "Branding",
    brandingLead: "How your customers see the connect pages.",
    brandingSaved: "Saved. The next connect page shows it.",

    settings: "Settings",
    settingsLead: "What happens before and after a person connects an account.",
    settingsSaved: "Saved. It applies to the next connect link that is opened.",

    users: "Customers",
    usersLead: "The customers that your backend has created.",
    ownId: "Your own ID of the customer",
    usersHead: ["Your ID", "Name", "Accounts", "State", "Since"],
    nobodyLikeThis: "No customer has this ID.",
    nobodyYet: "No customers yet. POST /v1/connect/users creates the first one.",
    /** How many accounts a user has, and how many of them must be reconnected. */
    accountsUnwell: (accounts: number, unwell: number) =>
      `${accounts}, ${unwell === 1 ? "1 needs" : `${unwell} need`} reconnecting`,
    older: "Show older",

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
    permissionStays: "renewed automatically",
    howToReconnect:
      "To reconnect an account, ask for a new address with POST /v1/connect/authorize-url and open it for this customer. The account keeps its ID. Carillon’s ID of the customer is {id}.",

    attempts: "Connect attempts",
    attemptsLead: "Each attempt step by step, without secrets. Kept for 30 days.",
    code: "The code that the person quotes",
    noSuchAttempt: "No attempt of your customers has this code.",
    noAttempts: "No attempts in the last 30 days.",

    webhooks: "Webhooks",
    webhooksLead: "Addresses that receive the events of all customers.",

    requests: "Requests",
    requestsLead: "Your servers’ requests of the last seven days. Of a burst, a part is kept, and failures come first.",
    requestId: "Request ID, from the header X-Request-Id",
    noSuchRequest: "No such request in the last seven days.",
    noRequests: "No requests yet.",

    rehearsal: "Rehearsal",
    rehearsalLead:
      "Opens connect links on simulated networks for test customers. Their externalUserId starts with rehearsal-, and you can delete them like other customers.",
    noSimulated:
      "This installation has no simulated networks. Rehearse on one that has them, for example with npm start on your own machine.",
  },
} as const;

import type { AuditEntry } from "@/lib/staff";

const details: { [name: string]: string } = {
  ownerId: "of the user",
  userId: "of the user",
  platform: "network",
  oldSecretEnded: "the old secret was revoked",
};

/** The texts of the staff's pages, and of the audit log wherever its lines are shown. */
export const staffWords = {
  /** The name of the navigation for screen readers. */
  nav: "Staff",
  overview: "Overview",
  networks: "Networks",
  partners: "Partners",
  audit: "Audit log",
  allEntries: "All entries",

  liveData: "Staff area, live data",

  noneFound: "Nothing was found. Enter a whole address, ID or number.",
  foundUsers: "Users",
  /** The last is the name or number by which it was found. */
  foundUsersHead: ["Name", "Email", "Found by"],
  noEmail: "No email",
  foundPosts: "Posts",
  foundPostsHead: ["Post", "State", "Found by"],
  schedule: (id: number) => `Post ${id}`,
  account: (id: string) => `account ${id}`,
  post: (id: string) => `post ${id}`,

  /** Who did what to whom. */
  auditHead: ["Time", "Action", "By", "Affected"],
  ofPartner: (partner: string) => `of ${partner}`,
  noLines: "The log has no such entry.",
  /** Further details of an audit log entry; a value follows each. */
  details,

  /** Whether the networks answer, and the API versions that are in use with their end dates. */
  versionsHow: (day: string) =>
    `Ends of API versions are as of ${day}. From 90 days before an end, this page and Home say what to do.`,
  networksHead: ["Network", "State", "Oldest post waits", "API version", "Ends on"],
  working: "Working",
  notAnswering: (until: string) => `Not answering. Next try at ${until}`,
  minutes: (count: number) => `${count} min`,
  noWait: "None",
  noEnd: "Not announced",

  lookAt: "Posts to look at",
  nothingToLookAt: "Every post has a known outcome.",
  stillLooking: (network: string) => `${network} did not say whether it went out. Carillon keeps looking for it.`,
  noLongerLooking: (network: string) =>
    `${network} did not say whether it went out, and Carillon no longer looks for it.`,
  newestOnly: (count: number) => `The newest ${count} are shown.`,

  schedulePage: {
    publication: (id: number, state: string) => `Publication ${id}: ${state}`,
    nothingTried: "Nothing has been tried yet.",
    /** `time`: "28 Jul 2025, 10:00:00 UTC" */
    nextLook: (time: string) => `Next look ${time}`,

    /** Names of files that are not stored, or not yet. */
    missing: (files: string) => `Files that are not stored yet: ${files}`,
    /** The id of a channel, Page or board. */
    goesTo: "Goes to {destination}",
    wouldFail: (problem: string) => `It would fail: ${problem}`,
    /** Unfolds the requests that are sent to the network. */
    sent: (count: number) => (count === 1 ? "What is sent (one request)" : `What is sent (${count} requests)`),
    makesPublic: "This request makes it public.",

    /** How many days a link to the preview is valid. */
    worksFor: "Valid for",
    days: (count: number) => (count === 1 ? "a day" : `${count} days`),
    makeLink: "Create a link",

    /** The page with the link that was made. */
    copyLink: "Copy the link",
    whoSees: (until: string) =>
      `Anyone who has the link sees the preview, without an account, until ${until}. It cannot be revoked before, so send it only to the people who need it.`,
    link: "Link",
    open: "Open it",
    back: "Back to the post",

    /** The page of a link that shows nothing. */
    noPreview: "No preview",
    showsNothing: "This link does not work",
    showsNothingWhy: "The link is mistyped or incomplete, or the post was deleted.",
    /** The same for a link that has expired. */
    showsNoMore: "This link has expired",
    showsNoMoreWhy: "Ask the person who sent it to you for a new one.",
  },

  secondFactor: {
    title: "Set up a second factor first",
    why: "The operator requires a second factor for staff: an authenticator app or a passkey. The staff pages stay closed until you add one in your settings.",
    setUp: "Go to your settings",
  },

  auditLog: {
    /** What was done. */
    actions: {
      "credential.created": "Credential created",
      "credential.rotated": "Secret changed",
      "credential.suspended": "Credential suspended",
      "credential.resumed": "Suspension of the credential lifted",
      "credential.changed": "Application changed",
      "credential.deleted": "Application deleted",
      "token.created": "Token created",
      "token.revoked": "Token revoked",
      "consent.given": "Application allowed",
      "consent.revoked": "Application no longer allowed",
      "session.started": "Signed in",
      "session.refused": "Many wrong passwords, codes or sign-ups",
      "password.reset": "Password reset",
      "password.changed": "Password changed",
      "webhook.created": "Webhook created",
      "webhook.changed": "Webhook changed",
      "webhook.rotated": "Webhook's secret changed",
      "webhook.deleted": "Webhook deleted",
      "signing-key.created": "Signing key created",
      "keys.resealed": "Stored values encrypted with the newest key",
      "user.created": "User created by the operator",
      "user.exported": "Everything exported",
      "user.suspended": "User suspended",
      "user.resumed": "Suspension of the user lifted",
      "user.deleted": "User deleted",
      "factor.added": "Second factor added",
      "factor.removed": "Second factor removed",
      "factor.codes_renewed": "New recovery codes",
      "factor.code_used": "Recovery code used",
      "factor.refused": "Passkey refused",
      "staff.looked": "Viewed by staff",
      "staff.shared": "Preview shared by staff",
      "partner.changed": "Partner's settings changed",
      "member.added": "Console member added",
      "member.role-changed": "Role of a console member changed",
      "member.removed": "Console member removed",
      "account.connected": "Account connected",
      "account.confirmed": "Account confirmed",
      "account.disconnected": "Account disconnected",
    } satisfies { [action in AuditEntry["action"]]: string },
    /** Who did it, if it was not a signed-in person. */
    operator: "The operator",
    unknown: "Unknown visitor",
  },

  pages: {
    staff: "Staff",
    staffLead: "Find a user or a post and see what happened to it. The audit log records each page that you open.",
    find: "Email, ID, number, request ID, or a post’s address on its network",
    request: "The request",
    requestsUser: "Its user",

    audit: "Audit log",
    auditLead: "Nobody can change or remove an entry.",
    actor: "By",
    actorHint: "An email address, an ID, “operator” or “unknown”.",
    subject: "Affected",
    subjectHint: "The ID of a user, account, client, token or post, or the code of an unknown address or network.",
    action: "Action",
    everyAction: "Every action",
    everyState: "Every state",
    everyNetwork: "Every network",
    from: "From (UTC)",
    to: "To (UTC)",
    search: "Search",
    clear: "Clear the filters",
    older: "Show older",
    newest: "Back to the newest",

    scheduleTitle: "Post",
    schedule: (id: string) => `Post ${id}`,
    /** Facts of a schedule: its owner and its time. */
    owner: "Owner",
    when: "Scheduled for",
    /** The same of a draft, which is not scheduled. */
    plannedFor: "Chosen time",
    noTime: "No time yet",
    preview: "Preview",
    noAccount: "No account is chosen yet.",
    receipt: "Receipt",
    share: "Share the preview",
    shareHow:
      "The link shows only the preview and needs no account. It cannot be revoked before it expires, and shows nothing while the owner is suspended.",

    user: "User",
    endUserOf: (partner: string) => `A customer of ${partner}.`,
    signsIn: "A person who signs in.",
    /** Facts of a user. */
    email: "Email",
    unconfirmed: (email: string) => `${email} (not confirmed)`,
    id: "ID",
    partnersId: "The partner’s own ID",
    role: "Role",
    roleStaff: "Staff",
    since: "Since",
    suspended: "Suspended",
    beingDeleted: "Being deleted",
    deletedSince: (time: string) => `Since ${time}`,

    accounts: "Accounts",
    accountsHead: ["Account", "Network", "ID", "State"],
    noAccounts: "No account is connected.",
    connected: "Connected",
    toReconnect: "Needs reconnecting",
    toReconnectWhy: (why: string) => `Needs reconnecting: ${why}`,
    schedules: "Posts",
    /** The last is how the text of its first post begins. */
    schedulesHead: ["Post", "State", "Networks", "Time", "Text"],
    noSchedules: "No posts yet.",
    noSchedulesLike: "No posts match these filters.",
    state: "State",
    network: "Network",
    text: "Text",
    requests: "Requests",
    noRequests: "No requests with a token in the last seven days.",
  },
} as const;

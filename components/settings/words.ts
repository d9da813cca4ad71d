/** The texts of the settings, of unconfirmed addresses and of the mail that is kept here. */
export const settingsWords = {
  /** Shown above every page. `email` is the address; `where` is one of the two below, the first as a link. */
  confirmAddress:
    "Confirm {email} with the link {where}. Until then, you get no notices and cannot create tokens, applications, webhooks or feeds.",
  toYourMail: "in your emails",
  there: "in the email to it",
  sendAgain: "Send again",

  writesAbout: "Notifications",
  notKept: (why: string) => `Not saved: ${why}`,
  kept: "Saved.",

  quietHours: "Quiet hours",
  quietFromTo: (from: string, to: string, zone: string) => `Quiet from ${from} to ${to}, ${zone}.`,
  noneYet: "No quiet hours yet.",
  quietMeans:
    "Emails that would arrive in quiet hours arrive when they end. None is left out. News of a changed password is never delayed.",
  from: "From",
  to: "To",
  timeZone: "Time zone",
  giveTime: "Enter a time",
  sameTime: "They begin and end at the same time.",
  keepThese: "Save quiet hours",
  begin: "Turn on quiet hours",
  end: "End quiet hours",

  profile: { title: "Profile", name: "Name", save: "Save name", email: "Email" },

  digest: { time: "Send it at", zone: "Time zone of the digest" },

  sessions: {
    title: "Where you are signed in",
    lead: "End a session that you do not know, and change your password.",
    thisOne: "This session",
    startAndUse: (start: string, use: string) => `Signed in ${start}, last used ${use}`,
    from: (address: string) => `From ${address}`,
    unknownBrowser: "Unknown browser",
    end: "End",
    endOne: (browser: string) => `End the session of ${browser}`,
    endOthers: "End all other sessions",
    changePassword: "Change your password",
  },

  calendarAddress: {
    title: "Calendar programs",
    lead: "A secret address shows your posts in Google Calendar, Apple Calendar or Outlook, without signing in.",
    none: "There is no address yet.",
    since: (when: string) => `There is an address since ${when}. Carillon cannot show it again.`,
    create: "Create the address",
    replace: "Create a new address",
    replaceMeans: "A new address ends the one before.",
    remove: "Remove the address",
    page: {
      title: "The address of your calendar",
      how: "Add it to your calendar program as a calendar from the web, and keep it: it is shown only now.",
      secret: "Whoever has it can read your scheduled posts, but change nothing. If others learn it, create a new one.",
      saved: "I have copied it",
    },
  },

  usage: {
    title: "Usage",
    lead: "Delete files or move posts to another day when you reach a limit.",
    media: "Files",
    publications: "Posts today (UTC), one for each account",
    usedOf: (used: string, limit: string) => `${used} of ${limit}`,
  },

  appearance: {
    title: "Appearance",
    lead: "For this browser only.",
    theme: "Theme",
    themes: { system: "Same as this device", light: "Light", dark: "Dark" },
  },

  zone: {
    title: "Time zone",
    lead: "Times in this browser are shown in this zone, unless they say UTC. A change does not move scheduled posts.",
    isDevice: (zone: string) => `Same as this device: ${zone}`,
    isChosen: (zone: string) => `Times are shown in ${zone}.`,
    field: "City or offset, such as Copenhagen or UTC+01:00",
    save: "Use this time zone",
    useDevice: "Same as this device",
    notFound: "No time zone matches. Choose one from the list.",
    several: (count: number) => `${count} time zones match. Choose one from the list.`,
  },

  weekStart: {
    title: "First day of the week",
    lead: "For this browser only.",
    days: { 1: "Monday", 6: "Saturday", 7: "Sunday" },
  },

  data: {
    title: "Your data",
    exportLead: "Download everything that Carillon has stored about you, as one JSON file.",
    export: "Export your data",
    deleteLead:
      "Deleting your account ends Carillon’s permission to post for you, and deletes your posts, files and settings here. What is published stays on the networks. This cannot be undone.",
    /** The label of the field in which the address is typed. */
    confirm: (email: string) => `Type ${email} to confirm`,
    delete: "Delete your account",
    notDeleted: "Your account was not deleted: type its email address to confirm",
  },

  applications: {
    title: "Connected applications",
    lead: "Applications that you allowed to act for you. Carillon has not reviewed any of them.",
    none: "You have not allowed any application.",
    registeredBy: "Registered by",
    allowed: "Allowed",
    firstUse: "First use",
    lastUse: "Last use",
    notUsed: "Not used yet",
    revoke: "Revoke",
    revokeNamed: (name: string) => `Revoke ${name}`,
    revoked:
      "Revoked. The application can no longer act for you. The webhooks that it created or changed are off, and the feeds that it added are stopped. The posts that it scheduled stay: check them under Posts.",
    open: "View connected applications",
    back: "Back to your settings",
  },

  factors: {
    title: "Two-step sign-in and passkeys",
    leadOff: "Add a second step, so that your password alone does not sign anyone in.",
    leadOn: "Your password alone does not sign anyone in.",
    authenticator: "Authenticator app",
    since: (time: string) => `On since ${time}`,
    off: "Off. An app on your phone shows a new code every 30 seconds.",
    setUp: "Set up",
    setUpApp: "Set up an authenticator app",
    turnOff: "Turn off",
    turnOffApp: "Turn off the authenticator app",
    recoveryCodes: "Recovery codes",
    codesLeft: (left: number) => (left === 1 ? "1 code is left." : `${left} codes are left.`),
    newCodes: "Create new codes",
    added: (time: string) => `Passkey. Added ${time}.`,
    addedAndUsed: (added: string, used: string) => `Passkey. Added ${added}, used ${used}.`,
    synchronised: "Synchronised between your devices.",
    needsPassword:
      "Added before your password was reset: it works only after your password until you use it that way once. Remove it if you do not know it.",
    addPasskey: "Add a passkey",
    renameOrRemove: (name: string) => `Rename or remove ${name}`,
    name: "Name",
    rename: "Rename",
    renameOne: (name: string) => `Rename ${name}`,
    remove: "Remove",
    removeOne: (name: string) => `Remove ${name}`,
  },

  page: {
    settings: "Settings",
    signedInAs: (email: string) => `Signed in as ${email}.`,
    email: "Notifications",
    /** Read aloud: the links to the sections. */
    sections: "Sections of the settings",
    security: "Security",
    timeAndWeek: "Time and week",
    forDevelopers: "For developers",
    forDevelopersLead: "Let your programs know what happens here.",
    yourMail: "Your emails",
    /** `setting` is a name. */
    mailKept: "This Carillon has no mail server ({setting}), so its emails to you are kept here.",
    noMail: "No emails yet.",

    mailTitle: "Email",
    /** The name of the frame that shows a mail, for screen readers. */
    mail: "The email",
    mailAsText: "As plain text",
  },
} as const;

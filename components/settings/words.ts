/** The texts of the settings, of unconfirmed addresses and of the mail that is kept here. */
export const settingsWords = {
  /** `email` is the address; `where` is one of the two below, the first as a link. Stands above every page. */
  confirmAddress: "Please confirm {email} by the link that we sent {where}. Until then you get no notices by mail.",
  toYourMail: "to your mail here",
  there: "there",
  sendAgain: "Send again",

  loading: "Loading your choices",
  couldNotLoad: (why: string) => `Could not load your choices: ${why}`,
  writesAbout: "What Carillon writes to you about",
  notKept: (why: string) => `Not kept: ${why}`,
  kept: "Kept.",

  quietHours: "Quiet hours",
  quietFromTo: (from: string, to: string, zone: string) => `Quiet from ${from} to ${to}, ${zone}.`,
  noneYet: "None yet.",
  quietMeans: "What would come in them comes at their end; nothing is left out. A new password is never held back.",
  from: "From",
  to: "To",
  timeZone: "Time zone",
  giveTime: "Give the time.",
  sameTime: "They begin and end at the same time.",
  keepThese: "Keep these",
  begin: "Begin quiet hours",
  end: "End quiet hours",

  page: {
    settings: "Settings",
    signedInAs: (email: string) => `Signed in as ${email}.`,
    email: "E-mail",
    forDevelopers: "For developers",
    forDevelopersLead: "Let programs of yours know what happens here.",
    yourMail: "Your mail",
    /** `setting` is a name. */
    mailKept: "This Carillon has no mail server ({setting}), so what it writes to you is kept here.",
    noMail: "Nothing yet.",
    /** Behind a date and a time. */
    utc: (time: string) => `${time} UTC`,

    mailTitle: "Mail",
    /** What the frame that shows a mail is called by readers of the screen. */
    mail: "The mail",
    mailAsText: "As plain text",
  },
} as const;

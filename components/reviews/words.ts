/** The texts of feedback: the owner's section, and the page that reviewers see. */
export const reviewWords = {
  /** The answers that a reviewer can give. */
  verdicts: { APPROVED: "Approved", CHANGES_REQUESTED: "Asks for changes" } as const,

  // In the dashboard.
  feedback: "Feedback",
  couldNotLoad: (why: string) => `Could not load what was said: ${why}`,
  /** `names` are those of people, as a list. */
  wantChanges: (names: string) => `${names} asked for changes.`,
  wantChangesAndGoesOut: (names: string) => `${names} asked for changes. It goes out at its time all the same.`,
  approvedBy: (names: string) => `Approved by ${names}, as it is now.`,
  approvedEarlier: (names: string) => `${names} approved an earlier version. You have changed it since.`,
  /** After a name; the decision, for example "Approved". */
  verdict: (says: string) => ` · ${says}`,
  closed: " · closed",
  approvalOfEarlier: "This approval was given for an earlier version.",
  saidOfEarlier: "Said of an earlier version.",
  youAnswered: "You answered",
  answer: "Answer",
  changeAnswer: "Change your answer",
  /** Read aloud behind either of the two before. */
  answerTo: (name: string) => ` to ${name}`,
  close: "Close it",
  open: "Open it again",
  /** Read aloud behind either of the two before. */
  whatWasSaid: (name: string) => `: what ${name} said`,
  notKept: (why: string) => `Not kept: ${why}`,
  writeAnswer: "Write an answer.",
  yourAnswer: "Your answer",
  whoReads: "Whoever has the link that it was said by can read it.",
  send: "Send",
  sending: "Sending…",
  leave: "Leave it",

  // The review links.
  share: "Share for feedback",
  shareMeans:
    "Whoever has the link sees the post as each network will show it, without an account, and can comment, approve or ask for changes.",
  worksFor: "The link works for",
  days: (count: number) => (count === 1 ? "a day" : `${count} days`),
  makeLink: "Make a link",
  making: "Making…",
  noLink: (why: string) => `No link was made: ${why}`,
  yourLink: "Your link, shown only now:",
  /** Read aloud behind an address. */
  newTab: " (opens in a new tab)",
  links: "Links",
  ended: (when: string) => `Ended ${when}`,
  worksUntil: (when: string) => `Works until ${when}`,
  made: (when: string) => `made ${when}`,
  remove: "Remove",
  revoke: "Revoke",
  /** Read aloud behind either of the two before. */
  linkMade: (when: string) => ` the link made ${when}`,
  notRevoked: (why: string) => `Not revoked: ${why}`,

  page: {
    title: "Preview of a post",
    planned: (when: string, until: string) => `Planned for ${when}. This link works until ${until}.`,
    notPlanned: (until: string) => `Not planned yet. This link works until ${until}.`,
    noAccount: "It is for no account yet.",
    filesMissing: (count: number) => `${count} of its files cannot be shown yet.`,
    wouldNotGoOut: (why: string) => `As it is, it would not go out: ${why}`,
    /** Behind an account's name. */
    onNetwork: (network: string) => `on ${network}`,
    publicationName: (network: string, account: string) => `${network}, ${account}`,

    whatYouThink: "What do you think?",
    thanks: "Thank you. It was passed on.",
    isOut: "This post is out or on its way, so nothing can be said of it here any more.",
    hasChanged: "The post has changed since.",
    answer: "Answer",
    yourName: "Your name",
    yourComment: "Your comment",
    mayBeEmpty: "You may leave it empty when you approve.",
    approve: "Approve",
    askForChanges: "Ask for changes",
    onlyComment: "Only comment",
    seenAtOnce: "Whoever sent you this link sees it at once. It keeps nothing from being published.",

    // A link that shows nothing.
    noPreview: "No preview",
    showsNothing: "This link shows nothing",
    showsNothingMore: "This link shows nothing any more",
    hasEnded: "It was made to work for a time, which is over. Ask whoever sent it to you for another one.",
    isUnknown: "It may be mistyped or cut off, it may have been taken back, or the post was deleted.",
    // Feedback that could not be stored.
    notPassedOn: "Not passed on",
    wasNotPassedOn: "This was not passed on",
    /** One of the reasons. */
    problem: (why: string) => `${why}.`,
    goBack: "Go back in your browser: what you wrote is still there.",
  },
} as const;

/** The texts of feedback: the owner's section, and the page that reviewers see. */
export const reviewWords = {
  /** The answers that a reviewer can give. */
  verdicts: { APPROVED: "Approved", CHANGES_REQUESTED: "Asks for changes" } as const,

  // In the dashboard.
  feedback: "Feedback",
  couldNotLoad: (why: string) => `Could not load the feedback: ${why}`,
  /** `names` are those of people, as a list. */
  wantChanges: (names: string) => `${names} asked for changes.`,
  wantChangesAndGoesOut: (names: string) => `${names} asked for changes. The post still goes out at its time.`,
  approvedBy: (names: string) => `Approved by ${names} in its current form.`,
  approvedEarlier: (names: string) => `${names} approved an earlier version. You have changed it since.`,
  /** After a name; the decision, for example "Approved". */
  verdict: (says: string) => ` · ${says}`,
  closed: " · closed",
  approvalOfEarlier: "This approval was given for an earlier version.",
  saidOfEarlier: "This comment was about an earlier version.",
  youAnswered: "You answered",
  answer: "Answer",
  changeAnswer: "Change your answer",
  /** Read aloud behind either of the two before. */
  answerTo: (name: string) => ` to ${name}`,
  close: "Close",
  open: "Reopen",
  /** Read aloud behind either of the two before. */
  whatWasSaid: (name: string) => `: what ${name} said`,
  notKept: (why: string) => `Not saved: ${why}`,
  writeAnswer: "Write an answer.",
  yourAnswer: "Your answer",
  whoReads: "Everyone with the same link can read it.",
  send: "Send",
  sending: "Sending…",
  leave: "Cancel",

  page: {
    title: "Preview of a post",
    planned: (when: string, until: string) => `Scheduled for ${when}. This link is valid until ${until}.`,
    /** A draft with a time, which goes out only once its author schedules it. */
    draft: (when: string, until: string) =>
      `A draft for ${when}, not scheduled yet. This link is valid until ${until}.`,
    notPlanned: (until: string) => `Not scheduled yet. This link is valid until ${until}.`,
    noAccount: "No account is chosen yet.",
    filesMissing: (count: number) => `${count} of its files cannot be shown yet.`,
    wouldNotGoOut: (why: string) => `It would fail: ${why}`,
    /** Behind an account's name. */
    onNetwork: (network: string) => `on ${network}`,
    publicationName: (network: string, account: string) => `${network}, ${account}`,

    whatYouThink: "What do you think?",
    thanks: "Thank you. Your feedback was sent.",
    isOut: "This post is published or being published, so it takes no more feedback.",
    hasChanged: "The post has changed since then.",
    answer: "Answer",
    yourName: "Your name",
    yourComment: "Your comment",
    mayBeEmpty: "You may leave it empty when you approve.",
    approve: "Approve",
    askForChanges: "Ask for changes",
    onlyComment: "Only comment",
    seenAtOnce:
      "The person who sent you this link sees it at once. Your answer does not stop the post from being published.",

    // A link that shows nothing.
    noPreview: "No preview",
    showsNothing: "This link does not work",
    showsNothingMore: "This link has expired",
    hasEnded: "Ask the person who sent it to you for a new one.",
    isUnknown:
      "The link is mistyped, incomplete or revoked, or the post was deleted. Ask the person who sent it to you for a new one.",
    // Feedback that could not be stored.
    notPassedOn: "Not sent",
    wasNotPassedOn: "Your feedback was not sent",
    /** One of the reasons. */
    problem: (why: string) => `${why}.`,
    goBack: "Go back in your browser. What you wrote is still there.",
  },
} as const;

/** The texts of the review links. */
export const shareWords = {
  share: "Share for feedback",
  shareMeans:
    "Anyone who has the link sees the post as each network will show it and can comment, approve or ask for changes. No account is needed.",
  worksFor: "The link is valid for",
  days: (count: number) => (count === 1 ? "a day" : `${count} days`),
  makeLink: "Create a link",
  making: "Creating…",
  noLink: (why: string) => `No link was created: ${why}`,
  yourLink: "Your link, shown only once:",
  /** Read aloud behind an address. */
  newTab: " (opens in a new tab)",
  links: "Links",
  ended: (when: string) => `Expired ${when}`,
  worksUntil: (when: string) => `Valid until ${when}`,
  made: (when: string) => `created ${when}`,
  remove: "Remove",
  revoke: "Revoke",
  /** Read aloud behind either of the two before. */
  linkMade: (when: string) => ` the link created ${when}`,
  notRevoked: (why: string) => `Not revoked: ${why}`,
} as const;

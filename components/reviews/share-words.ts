/** The texts of the review links. Apart from the others, so that the composer loads no more than these. */
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

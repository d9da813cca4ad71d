/**
 * The texts of the page around the composer. They are separate because the page shows them while the composer, with its own
 * texts, is loading.
 */
export const composePageWords = {
  loading: "Loading the composer",
  couldNotLoadAccounts: (why: string) => `Could not load your accounts: ${why}`,

  writeTitle: "New post",
  write: "New post",
  change: "Change a post",
  writeLead: "Write it once, and customise it where a network needs something else.",
} as const;

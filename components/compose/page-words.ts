/**
 * The texts of the page around the composer. They are separate because the page shows them while the composer, with its own
 * texts, is loading.
 */
export const composePageWords = {
  loading: "Loading the composer",
  couldNotLoadAccounts: (why: string) => `Could not load your accounts: ${why}`,

  writeTitle: "New post",
  write: "New post",
  change: "Edit post",
  /** After "New post", if the post that is being written could not be saved as a draft. */
  staysHere: "This post is only on this device. Choose an account to save it as a draft first.",
} as const;

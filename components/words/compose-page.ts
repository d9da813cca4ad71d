/** The texts of the composer's page while the composer itself is on its way. */

export const loading = "Loading the composer";
export const couldNotLoadAccounts = (why: string) => `Could not load your accounts: ${why}`;

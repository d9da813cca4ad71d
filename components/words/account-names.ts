/** How an account is named in a sentence. */

/** `@alice on X` */
export const named = (handle: string, network: string) => `${handle} on ${network}`;
export const gone = "an account that is gone";

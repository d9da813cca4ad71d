/** The texts of files and posts on their way from the composer to the service. */

export const storeRefused = (status: number) => `The store refused it (status ${status}).`;
export const uploadBroke = "The upload broke off. Check your connection.";
export const elsewhere = "It was scheduled or sent from another page meanwhile.";
/** What a cover is called whose file is gone. */
export const cover = "cover";

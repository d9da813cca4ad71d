/** The texts of the page that asks whose account it is, for networks whose accounts live on many servers. */

export const connect = (network: string) => `Connect ${network}`;
export const yourServer = "You decide on your own server's page, and can take it back at any time.";
export const goOn = (network: string) => `Continue with ${network}`;
/** Above the other way in; `password` is what the network calls one that is made for us. */
export const orWith = (password: string) => `Or with an ${password}`;
export const otherServers = "For servers that cannot ask you in the browser. Carillon does not keep it.";
export const connectWith = (password: string) => `Connect with ${password}`;
export const backToAccounts = "Back to your accounts";

/** The texts of rehearsing how connecting can go. The ways that it can go are told by lib/connect. */

export const network = "Network";
/** `redirectUri` is what the API calls it. */
export const redirectUri = "Your redirectUri";
export const redirectUriExample = "https://acme.example/connected or com.acme.app:/done";
export const redirectUriHint = "It is checked and shown, not called.";
/** The name to type, of somebody whose account is connected already. */
export const nameToType = "The name: {name}";
export const endsAs = (end: string) => `Ends as: ${end}`;
export const rehearse = "Rehearse";
/** The same button, read aloud: which way of many it is for. */
export const rehearseOne = (way: string) => `Rehearse: ${way}`;

export const last = (way: string) => `Last rehearsal: ${way}`;
export const connected =
  "Connected. The browser would have been sent to your address, byte for byte and with nothing appended: {request}";
/** `page` is the title of the page that the person saw. */
export const notConnected =
  "Your address {address} got nothing: nobody is sent there unless an account was connected. The person saw “{page}” and could start again or come back to you.";
export const notFinished = "Not finished: the person is still on the network’s page.";
/** Where a page's title comes from the partner. */
export const yourPage = "your own page";
/** Stand in the title of such a page for the network's name and the partner's. */
export const anyNetwork = "the network";
export const you = "you";

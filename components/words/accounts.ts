/** The texts of the page of connected accounts. */

export const isConnected = (account: string, network: string) => `${account} on ${network} is connected.`;
export const write = "Write a post";
/** Read aloud: the list of accounts. */
export const connectedAccounts = "Connected accounts";
export const loading = "Loading accounts";
export const couldNotLoad = (why: string) => `Could not load your accounts: ${why}`;
export const nothingYet = "No account is connected yet. Choose a network below to connect the first one.";

export const connectFirst = "Connect an account";
export const connectAnother = "Connect another account";
export const howToConnect =
  "You decide on the network's own page, and can take it back here at any time. Several accounts per network are fine.";
/** Behind the text above; `page` is the link below. */
export const simulatedPost = "Simulated networks behave like the real ones but post to {page}.";
export const ownPage = "a page of their own";
/** Read aloud before the name of a network. */
export const connectTo = "Connect ";
export const connect = "Connect";
/** Below the name of a network, in place of the word above. */
export const simulated = "Simulated, no approval needed";

export const connected = "Connected";
export const permissionEnds = (network: string, time: string) =>
  `${network} ends this permission on ${time}; connect again before then.`;
export const needsYou = "Needs to be connected again; what is scheduled waits";
export const since = (time: string) => `Since ${time}.`;
/** `why`: a sentence of the network's, without its full stop */
export const sinceBecause = (why: string, time: string) => `${why}. Since ${time}.`;

export const queue = "Queue";
export const queueOf = (account: string) => `Queue of ${account}`;
export const whereTo = "Where it can post";
export const looking = "Looking…";
export const couldNotRead = (why: string) => `Could not be read: ${why}`;
export const nowhere = "Nowhere yet.";
export const nowhereOn = (network: string) => `Nowhere yet. What you make on ${network} shows up here by itself.`;
/** To where a bot may post. */
export const addChat = "Add a channel or group, or see what is wrong with one";

export const disconnect = "Disconnect";
export const disconnecting = "Disconnecting…";
export const disconnectOne = (account: string) => `Disconnect ${account}`;
export const disconnectQuestion = (account: string) => `Disconnect ${account}?`;
export const erased = (network: string) =>
  `Carillon erases its permission to post there at once. What is published stays on ${network}.`;
/** While it is not known how many there are. */
export const anyWillFail = "Posts that are planned for it will fail when their time comes.";
export const nothingPlanned = "Nothing is planned for it.";
export const willFail = (count: number) =>
  count === 1
    ? "1 planned post will fail when its time comes."
    : `${count} planned posts will fail when their time comes.`;
export const moreWillFail = (count: number) => `More than ${count} planned posts will fail when their time comes.`;
export const comeBack =
  "Connect the same account again before their time, and planned posts go out after all: it keeps its place here.";

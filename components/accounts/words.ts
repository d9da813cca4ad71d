import type { DestinationProblem } from "@/lib/networks";

/** The texts of connected accounts: their page, the pages of one account, and the bot that connects one. */
export const accountWords = {
  isConnected: (account: string, network: string) => `${account} on ${network} is connected.`,
  write: "New post",
  /** Read aloud: the list of accounts. */
  connectedAccounts: "Connected accounts",
  loading: "Loading accounts",
  couldNotLoad: (why: string) => `Could not load your accounts: ${why}`,
  nothingYet: {
    title: "Connect your first account",
    text: "Choose a network above, and approve Carillon on the network’s own page.",
  },

  connectFirst: "Connect an account",
  connectAnother: "Connect another account",
  howToConnect: "You approve it on the network’s own page and can disconnect at any time.",
  /** Behind the text above; `page` is the link below. */
  simulatedPost: "Simulated networks behave like the real ones but post to {page}.",
  ownPage: "a page of their own",
  /** Read aloud before the name of a network. */
  connectTo: "Connect ",
  /** Below the name of a network. */
  simulated: "Simulated",

  search: "Search accounts",
  searchAll: (count: number) => (count === 1 ? "Search 1 account" : `Search ${count} accounts`),
  network: "Network",
  allNetworks: "All networks",
  noneFound: "No accounts match. Change the search or the network.",
  columns: {
    account: "Account",
    state: "State",
    next: "Next post",
    scheduled: "Scheduled",
    /** Read aloud: the column of buttons. */
    actions: "What you can do",
  },
  states: { HELD: "Waiting for confirmation", RECONNECT_REQUIRED: "Needs reconnecting" },
  endsIn: (days: number) => (days <= 1 ? "Ends within a day" : `Ends in ${days} days`),
  noTimesYet: "No posting times yet",
  noNext: "Nothing scheduled",
  moreFor: (account: string, network: string) => `More for ${account} on ${network}`,
  done: "Done",
  keep: "Keep",

  groups: {
    new: "New group",
    create: "Create group",
    edit: "Edit",
    editOne: (name: string) => `Edit ${name}`,
    /** The accounts that are in no group. */
    none: "Not in a group",
    /** The groups of one account. */
    of: "Groups",
    name: "Name",
    colour: "Colour",
    colours: { GOLD: "Gold", CORAL: "Coral", TEAL: "Teal", BLUE: "Blue", VIOLET: "Violet", GREY: "Grey" },
    accounts: "Accounts in this group",
    save: "Save",
    cancel: "Cancel",
    delete: "Delete group",
    deleteKeeps: "Deleting a group keeps its accounts.",
    notSaved: (why: string) => `Not saved. ${why}`,
  },

  connected: "Connected",
  permissionEnds: (network: string, time: string) =>
    `${network} ends this permission on ${time}; reconnect it before then.`,
  needsYou: "Needs reconnecting; until then, its posts fail when their time comes",
  since: (time: string) => `Since ${time}.`,
  /** `why`: the network's sentence, without its full stop */
  sinceBecause: (why: string, time: string) => `${why}. Since ${time}.`,

  queue: "Posting times",
  queueOf: (account: string) => `Posting times of ${account}`,
  whereTo: "Where it can post",
  looking: "Looking…",
  couldNotRead: (why: string) => `Could not be read: ${why}`,
  nowhere: "Nowhere yet.",
  nowhereOn: (network: string) => `Nowhere yet. What you make on ${network} shows up here by itself.`,
  /** The link to the places where a bot may post. */
  addChat: "Add a channel or group, or see what is wrong with one",

  disconnect: "Disconnect",
  disconnecting: "Disconnecting…",
  disconnectOne: (account: string) => `Disconnect ${account}`,
  disconnectQuestion: (account: string) => `Disconnect ${account}?`,
  erased: (network: string) => `Carillon can no longer post there. What is published stays on ${network}.`,
  /** While it is not known how many there are. */
  anyWillFail: "Scheduled posts for it will fail. Move them to another account first.",
  nothingPlanned: "Nothing is scheduled for it.",
  willFail: (count: number) =>
    count === 1
      ? "1 scheduled post will fail. Move it to another account first."
      : `${count} scheduled posts will fail. Move them to another account first.`,
  moreWillFail: (count: number) => `More than ${count} scheduled posts will fail. Move them to another account first.`,
  comeBack: "If you connect the same account again before their time, they go out after all: it keeps its place here.",

  reconnect: {
    /** Read aloud: the list of them. */
    needsYou: "Needs attention",
    needed: (account: string, network: string, since: string) =>
      `${account} on ${network} has needed reconnecting since ${since}. Until you reconnect it, its posts fail when their time comes.`,
    reconnect: "Reconnect",
    reconnectOne: (account: string) => `Reconnect ${account}`,
    renew: "Renew",
    renewOne: (account: string) => `Renew ${account}`,
  },

  /** The posts that failed while their account needed reconnecting. */
  missed: {
    title: (count: number) =>
      count === 1
        ? "1 post failed while its account needed reconnecting"
        : `${count} posts failed while their account needed reconnecting`,
    lead: "The account is connected again. These posts go out late only if you publish them now.",
    publish: (count: number) => (count === 1 ? "Publish it now" : `Publish all ${count} now`),
    /** On the button, while it is working. */
    publishing: (tried: number, count: number) => `Publishing ${tried} of ${count}…`,
    showAll: (count: number) => `Show all ${count}`,
    leave: "Leave them unpublished",
    leaving: "Leaving them…",
    left: (count: number) => (count === 1 ? "The post stays unpublished." : `${count} posts stay unpublished.`),
    notLeft: (why: string) => `Not saved. ${why}`,
    begun: (count: number) => (count === 1 ? "The post is being published." : `${count} posts are being published.`),
    notBegun: (count: number, why: string) =>
      count === 1 ? `1 post was not published: ${why}` : `${count} posts were not published: ${why}`,
  },

  bot: {
    // The conversation with the bot. Telegram's button is called "Start".
    open: "Open the bot with the button below. The link works once, for 15 minutes, and only for you.",
    press:
      "In {network}, press {start}. The bot asks whether to connect your {network} account to Carillon. Press {yes}.",
    start: "Start",
    yes: "Yes",
    comeBack: "Come back here. The next page adds your channels and groups.",
    waiting: "Waiting for you to press Start and then Yes…",
    openNetwork: (network: string) => `Open ${network}`,
    haveDone: "I have done this",
    isInUse: (network: string) =>
      `This ${network} account was already used by another user of this service. Have it disconnected there first, or start again from another ${network} account.`,
    isOther: (network: string) =>
      `You pressed Yes with another ${network} account than the one to reconnect. Nothing was changed.`,
    reconnect: "Reconnect the original account",
    addOther: "Add the other one as a new account",
    isDeclined: "The bot's question was answered with No. Nothing was connected.",
    isOver: "This link has expired or was used already. Start again. Nothing was connected.",
    quoteCode: "If you ask for help, quote this code: {code}",
    startAgain: "Start again",

    whereTo: "Where it can post",
    nowhere: "Nowhere yet. What you add shows up here by itself.",
    /** The problem, and what the owner can do. */
    problems: {
      REMOVED: "The bot is not in it any more. Add it again with the button below.",
      NO_RIGHT: "The bot may not post there. Open its administrators, choose the bot and switch on “Post messages”.",
    } satisfies { [problem in DestinationProblem]: string },
    add: "Add one more",
    howToAdd:
      "In a channel the bot has to be an administrator who may post messages; in a group it is enough that it is in. A chat that you added it to before it knew you: take it out and add it again.",
    addChannel: "Add to a channel",
    addGroup: "Add to a group",
    noAnswer: (network: string) => `${network} does not answer just now. Load this page again in a moment.`,
    back: "Back to your accounts",
    write: "New post",
  },

  page: {
    accounts: "Accounts",
    accountsLead: "Where Carillon may post for you.",
    chats: "Channels and groups",
    chatsLead: (account: string, network: string) =>
      `${account} on ${network} is connected. Choose where Carillon may post.`,
    queue: "Posting times",
    queueLead: (account: string, network: string) =>
      `The times at which ${account} posts on ${network}. “Next free time” takes the first one at which nothing is scheduled.`,
    backToAccounts: "Back to your accounts",
    /** The title of the window in which an account is connected by a bot. */
    connectTitle: "Connect",
    connect: (network: string) => `Connect ${network}`,
    /** The bot's button is called “Start”. */
    connectLead: "You press Start, and Carillon knows who you are.",
    /** In a connect window that cannot close itself. */
    connected: "Connected",
    connectedLead: "You can close this window; the page that you came from knows already.",
    goToAccounts: "Go to your accounts",

    reconnect: "Reconnect",
    reconnectAccount: (account: string) => `Reconnect ${account}`,
    accountOn: (network: string) => `Your account on ${network}.`,
    isWell: "This account is connected, and nothing has to be done.",
    asksAgain: (network: string) => `${network} asks you to reconnect this account.`,
    /** Why it needs reconnecting, which ends without a full stop. */
    said: (why: string) => `${why}.`,
    chooseSame: (network: string) =>
      `Choose the same account on ${network}’s page: it keeps its place here, and everything that is scheduled for it.`,
  },
} as const;

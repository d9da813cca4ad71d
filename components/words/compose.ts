/** The texts of the composer: what is written, for whom, and when it goes out. */

// Which accounts a post goes to.
export const postTo = "Post to";
export const noAccount = "No account is connected yet. What you write here is kept while you connect one.";
export const connect = "Connect an account";
/** In place of a network's name below an account's. */
export const toReconnect = (network: string) => `${network}, to be connected again`;

// The text, or the parts of a thread.
export const text = "Text";
export const placeholder = "One text for every account you chose";
export const part = (number: number) => `Part ${number}`;
export const makeThread = "Make it a thread";
export const addPart = "Add a part";
export const movePartUp = (number: number) => `Move part ${number} up`;
export const movePartDown = (number: number) => `Move part ${number} down`;
export const removePart = (number: number) => `Remove part ${number}`;
export const partAdded = (number: number, count: number) => `Added part ${number} of ${count}.`;
export const partMoved = (number: number, count: number) => `It is part ${number} of ${count} now.`;
export const partRemoved = (left: number) =>
  left === 1 ? "Removed. One part is left." : `Removed. ${left} parts are left.`;
export const filesOfPart = (number: number) => `Pictures and videos of part ${number}`;
export const noThreads = "None of the chosen accounts takes a thread: they get the parts as one text.";
/** The gaps are keys; `{up}` and `{down}` are arrows. */
export const partKeys = "{alt} {enter} adds a part, {alt} {up} and {alt} {down} move it.";
export const alt = "Alt";
export const enter = "Enter";

// How long a text is, by a network's limit. The numbers are written out already.
export const tooMany = (count: string) => `${count} too many`;
export const left = (count: string) => `${count} left`;
export const used = (count: string, most: string) => `${count} of ${most}`;
/** @param of a part or a network */
export const lengthOf = (of: string, length: string) => `${of}: ${length}`;
export const countedIn = (unit: string) => `Counted as the network counts: ${unit}`;

// Where what is written is kept just now.
export const keptAsTyped = "What you write is kept as you type.";
export const keptHere = "Kept in this browser. With an account chosen it is saved as a draft.";
export const savingDraft = "Saving the draft…";
export const savedAsDraft = "Saved as a draft.";
export const keptHereOnly = "Kept in this browser only: something has to be set before it can be a draft.";
export const goneElsewhere = "It was scheduled or sent from another page meanwhile. Discard it to begin anew.";
export const savedBySomebody = "Somebody else has saved this post meanwhile. Nothing is saved until you choose.";
export const compare = "Compare and choose";
export const plannedAsIs = "Planned as it stands here.";
export const notSavedYet = "Your changes are not saved yet.";

// Throwing it away, which is asked for twice.
export const discard = "Discard it";
export const discardForGood = "Discard it for good";
export const keep = "Keep it";
export const draftStillThere = (why: string) => `The draft is still there: ${why}`;

// What each account will get, on tabs.
export const perAccount = "What each account will get";
export const chooseAccount = "Choose an account to see what it will get.";
export const accounts = "Accounts";
/** Read aloud behind an account's name on its tab, as is the next one. */
export const inTheWay = (problems: number) => `${problems} in the way`;
export const withOwnText = "own text";
/** Beside an account's name. */
export const ownText = "Own text";
export const writeOwn = (network: string) => `Write another text for ${network}`;
export const ownTextFor = (network: string) => `Text for ${network} only`;
export const commonAgain = "Use the common text again";
export const becomesOneText = (network: string) => `${network} takes one post, so the parts become one text.`;
export const showsNoText = (network: string) => `${network} shows no text here; yours will not be sent.`;

// A network's own fields. A place is a channel, a Page or a board.
export const whereToPost = "Where to post";
export const postsTo = (place: string) => `Posts to ${place}.`;
export const choose = "Choose…";
export const moreFor = (network: string) => `More for ${network}`;
/** Of a board's sections. */
export const noSection = "None, the board itself";
export const sectionsNotRead = (why: string) => `The sections cannot be read just now: ${why}`;

// When it goes out.
export const when = "When";
export const now = "Now";
export const nextSlot = "Next free slot";
export const pickTime = "Pick a time";
export const dateAndTime = "Date and time";
export const timeSkipped = (takenAs: string) =>
  `The clocks go forward that night and skip this time. It is taken as ${takenAs}.`;
export const timeTwice = (zone: string) =>
  `The clocks go back that night, so this time comes twice. The one in ${zone} is meant.`;
export const slotOfAccounts = "Choose accounts, and this is the next free time of their queues.";
export const lookingForSlot = "Looking for the next free slot…";
export const slotNotLookedUp = (why: string) => `Could not be looked up: ${why}`;
export const noTimes = "No queue has any times yet.";
export const noCommonTime = "The queues have no time in common that is free within a year.";
export const giveTimes = "Give an account its times (opens beside this page)";

/** @param account such as `Bluesky (@ann.example)` */
export const sameText = (account: string, time: string) => `${account} has the same text on ${time}.`;
export const seeThatPost = "See that post";

// What is in the way, and the button that sends.
export const thingsInTheWay = (count: number) =>
  count === 1 ? "One thing is in the way" : `${count} things are in the way`;
export const altTextNotSaved = (why: string) => `The alt text could not be saved. ${why}`;
export const notSent = (why: string) => `Not sent: ${why}`;
export const saveChanges = "Save changes";
export const postNow = (toAccounts: number) => (toAccounts > 1 ? `Post now to ${toAccounts} accounts` : "Post now");
export const schedule = (toAccounts: number) => (toAccounts > 1 ? `Schedule to ${toAccounts} accounts` : "Schedule");
export const sending = "Sending…";
/** Beside the button, as is the next one: the list of what is in the way stands above. */
export const offBecause = (things: number) =>
  things === 1 ? "Off because of what stands above." : `Off because of the ${things} things that stand above.`;
/** The gaps are keys; `{command}` is a sign. */
export const sendKeys = "or press {ctrl} {enter} ({command} {enter})";
export const ctrl = "Ctrl";

// Beginning from a post that is there already, to change it or to copy it.
export const loadingPost = "Loading the post";
export const couldNotLoadPost = (why: string) => `Could not load that post: ${why}`;
export const hasBegun = "It has begun to go out, so it can no longer be changed.";
export const cannotShowAll =
  "This page cannot show all that is in it (an account that is no longer connected, or a field that only programs set), and would lose it.";
export const backToPost = "Back to the post";

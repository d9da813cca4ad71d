/** The titles of the dashboard's pages, the line beneath each, and what else stands on a page itself. */

export const hello = (name: string) => `Hello, ${name}`;

export const accounts = "Accounts";
export const accountsLead = "Where Carillon may post for you.";
export const chats = "Channels and groups";
export const chatsLead = (account: string, network: string) =>
  `${account} on ${network} is connected. Choose where Carillon may post.`;
export const queue = "Queue";
export const queueLead = (account: string, network: string) =>
  `When ${account} on ${network} likes to post. “Next free slot” takes the first of these times at which nothing is planned.`;
export const backToAccounts = "Back to your accounts";
/** The title of the window in which an account is connected by a bot. */
export const connectTitle = "Connect";
export const connect = (network: string) => `Connect ${network}`;
/** “Start” is what the bot's button says. */
export const connectLead = "You press Start, and Carillon knows who you are.";
/** Where a window in which an account was connected cannot close itself. */
export const connected = "Connected";
export const connectedLead = "You can close this window; the page that you came from knows already.";
export const goToAccounts = "Go to your accounts";

export const reconnect = "Reconnect";
export const reconnectAccount = (account: string) => `Reconnect ${account}`;
export const accountOn = (network: string) => `Your account on ${network}.`;
export const isWell = "This account is connected, and nothing has to be done.";
export const asksAgain = (network: string) => `${network} asks for this account to be connected again.`;
/** Why it has to be connected again, which ends without a full stop. */
export const said = (why: string) => `${why}.`;
export const chooseSame = (network: string) =>
  `Choose the same account on ${network}’s page: it keeps its place here, and everything that is scheduled for it.`;

export const calendar = "Calendar";
/** “Move to…” is on each post's menu. */
export const calendarLead = "Drag a post to another time, or use “Move to…”.";

export const writeTitle = "Write";
export const write = "Write a post";
export const change = "Change a post";
export const writeLead = "One text for every account; each can have its own.";

export const posts = "Posts";
export const postsLead = "Newest first. What is being sent changes here by itself.";
export const importAction = "Import";
export const exportAction = "Export";
export const findDuplicates = "Find duplicates";
export const post = "Post";
export const repeat = "Repeat a post";
export const importPosts = "Import posts";
export const importLead = "Many posts at once, from a spreadsheet that is saved as CSV in UTF-8.";
export const duplicates = "Duplicates";
export const duplicatesLead =
  "Planned posts and drafts that say the same. Tick those that are to be one, and see what would come of it.";

export const media = "Media";
export const mediaLead = "Pictures and videos that are stored and ready for any post.";

export const settings = "Settings";
export const signedInAs = (email: string) => `Signed in as ${email}.`;
export const email = "E-mail";
export const forDevelopers = "For developers";
export const forDevelopersLead = "Let programs of yours know what happens here.";
export const yourMail = "Your mail";
/** `setting` is a name. */
export const mailKept = "This Carillon has no mail server ({setting}), so what it writes to you is kept here.";
export const noMail = "Nothing yet.";
/** Behind a date and a time. */
export const utc = (time: string) => `${time} UTC`;

export const mailTitle = "Mail";
/** What the frame that shows a mail is called by readers of the screen. */
export const mail = "The mail";
export const mailAsText = "As plain text";

export const webhooks = "Webhooks";
export const webhooksLead = "Addresses of yours that are told what happens, signed.";
export const webhook = "Webhook";
export const whatHappened = "What has happened";
export const events = "Events";
export const eventsLead = "What has happened in the last 30 days, newest first.";
export const noEvents = "Nothing yet.";
export const older = "Show older ones";

/** The texts of the pages for developers themselves: their titles, what each is for, and its lists. */

export const developers = "Developers";
export const developersLead = "Programs that publish in your name, and in others’.";
export const tokensOf = (count: number) => `Personal tokens (${count})`;
export const tokensAbout = "For scripts of your own: they act as you, within what you choose.";
export const applicationsOf = (count: number) => `Applications (${count})`;
export const applicationsAbout = "For other people: each allows your application in, and can end that.";
export const requestsAbout = "What was asked of the API lately in your name, and how each ended.";
export const tryAbout = "Every call, with your own account, from this page.";
export const webhooks = "Webhooks";
export const webhooksAbout = "Addresses of yours that are told what happens, signed.";
export const events = "Events";
export const eventsAbout = "Everything that has happened, as webhooks tell it.";
export const gettingStarted = "Getting started";
export const gettingStartedAbout = "The whole way, command by command.";
export const reference = "API reference";
export const referenceAbout = "Every call, field and refusal.";

export const tryApi = "Try the API";
export const tryLead = "Calls are made as you, with your own account: what you change here is changed.";

export const requests = "Requests";
export const requestsLead = "What was asked in your name with tokens and by applications, kept for seven days.";
export const noSuchRequest = "No such request in the last seven days.";
export const noRequests = "Nothing yet: make a token and call the API.";
export const requestId = "Request id";
export const onlyFailed = "Only what was refused or failed";
export const show = "Show";
export const older = "Show older ones";
/** `header` is a name. */
export const whatIsKept =
  "No bodies, no tokens, and of a query only the names. Every answer brings its id as {header}. In bursts of more than 25 requests a second not each one is kept; those that failed come first. It can take a few seconds until a request is here.";

export const tokens = "Personal tokens";
export const tokensLead = "For scripts of your own: they act as you.";
export const yourTokens = "Your tokens";
export const none = "None yet. Create the first one below.";
export const newToken = "New token";
/** Stands for the name of a token that has none. */
export const fromCommandLine = "Made at the command line";
export const made = (time: string) => `made ${time}`;
export const madeAndEnds = (time: string, end: string) => `made ${time}, works until ${end}`;
export const revoke = "Revoke";
export const revokeToken = (name: string) => `Revoke ${name}`;

export const applications = "Applications";
export const applicationsLead = "Programs that other people allow to act for them (OAuth 2.0, authorization code).";
export const yourApplications = "Your applications";
export const withSecret = (since: string) => `with a secret · since ${since}`;
export const withoutSecret = (since: string) => `without a secret · since ${since}`;
export const suspended = "Suspended by the operator";
export const newApplication = "New application";

export const application = "Application";
export const applicationLead = "An application of yours.";
export const saved = "Saved.";
export const suspendedWhat = "The operator suspended this application: every call of it is refused.";
export const clientId = "Client id";
export const isPublic = "It has no secret, because it could not keep one: it has to use PKCE (S256).";
export const remove = "Delete this application";
export const removeWhat =
  "Everybody who allowed it in is let go: its tokens end at once, and it cannot be brought back. What it has scheduled stays.";
export const removeForGood = (name: string) => `Delete ${name} for good`;

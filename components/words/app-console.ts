/** The texts of the pages of the partners' console themselves: their titles, what each is for, and its tables. */

export const partners = "Partners";
export const partnersLead = "Whose backends act for their own end-users.";
export const partnersHead = ["Partner", "Client id", "State", "Since"];
export const noPartners = "There is no partner yet.";
export const active = "Active";
export const suspended = "Suspended";
export const beingDeleted = "Being deleted";

export const overview = "Overview";
export const overviewLead = "Usage by month, in UTC.";
export const usage = "Usage";
export const usageByMonth = "Usage by month";
export const usageHead = ["Month", "New end-users", "New accounts", "Posts", "API calls"];
export const noUsage = "Nothing yet.";
export const usageHow =
  "Counted in what is there now: whoever was deleted no longer counts. API calls are added every few seconds.";
export const whatWasDone = "What was done";

export const credentials = "Credentials";
export const credentialsLead = "What the partner's server signs in with.";

export const branding = "Branding";
export const brandingLead = "How your users see the connect pages.";
export const brandingSaved = "Saved. The next connect page shows it.";

export const settings = "Settings";
export const settingsLead = "What stands between a connect link and a usable account.";
export const settingsSaved = "Saved. It holds for the next connect link that is opened.";

export const users = "End-users";
export const usersLead = "Whom the partner provisioned.";
export const ownId = "Your own id of the user";
export const usersHead = ["Your id", "Name", "Accounts", "State", "Since"];
export const nobodyLikeThis = "Nobody has this id.";
export const nobodyYet = "Nobody yet: POST /v1/connect/users provisions the first one.";
/** How many accounts a user has, and how many of them do not work. */
export const accountsUnwell = (accounts: number, unwell: number) => `${accounts}, ${unwell} to be connected again`;
export const older = "Show older ones";

export const user = "End-user";
/** `id` is the partner's own. */
export const userLead = (name: string, id: string) => `${name}, your ${id}.`;
export const accounts = "Accounts";
export const accountsHead = ["Account", "Network", "State", "Since", "Permission"];
export const noAccounts = "No account is connected.";
export const connected = "Connected";
export const held = "Held until you confirm it";
export const toReconnect = "To be connected again: the network asks for it";
export const toReconnectWhy = (why: string) => `To be connected again: ${why}`;
export const permissionEnds = (time: string) => `ends ${time}`;
export const permissionStays = "renewed by itself";
export const howToReconnect =
  "To have one connected again, ask for a new address by POST /v1/connect/authorize-url and open it for this user: the account keeps its id. Carillon’s id of the user is {id}.";

export const attempts = "Connect attempts";
export const attemptsLead = "Step by step, without secrets; kept for 30 days.";
export const code = "The code that the person quotes";
export const noSuchAttempt = "No attempt of your users has this code.";
export const noAttempts = "None in the last 30 days.";

export const webhooks = "Webhooks";
export const webhooksLead = "Addresses that are told of all end-users.";

export const requests = "Requests";
export const requestsLead = "What your servers asked in the last seven days; of bursts a part, what failed first.";
export const requestId = "Request id, as X-Request-Id says it";
export const noSuchRequest = "No such request in the last seven days.";
export const noRequests = "Nothing yet.";

export const rehearsal = "Rehearsal";
export const rehearsalLead = "With a simulated network and a user who does not exist. None of your users is touched.";
export const noSimulated =
  "This installation has no simulated networks. Rehearse on one that has: on any machine, npm start brings them along.";

/** The texts of the staff's pages themselves: their titles, what each is for, and its tables. */

export const staff = "Staff";
export const staffLead =
  "Find a user or a schedule, see it and read its receipt. Nothing is changed here, and every look is written down.";
export const find = "E-mail, id, number, request id, or a post’s address on its network";
export const request = "The request";
export const requestsUser = "The user for whom it was";

export const audit = "Audit log";
export const auditLead = "Nobody can change or remove a line of it.";
export const actor = "Who";
export const actorHint = "An e-mail address, an id, or “operator”.";
export const subject = "To what";
export const subjectHint = "The id of a user, account, client, token or schedule.";
export const action = "What";
export const anything = "Anything";
export const from = "From (UTC)";
export const to = "To (UTC)";
export const search = "Search";
export const older = "Show older ones";

export const scheduleTitle = "Schedule";
export const schedule = (id: string) => `Schedule ${id}`;
/** Facts of a schedule: whose it is, and its time. */
export const owner = "Of";
export const when = "When";
export const noTime = "no time yet";
export const preview = "Preview";
export const noAccount = "It is for no account yet.";
export const receipt = "Receipt";
export const share = "Show it to somebody without an account";
export const shareHow = "The link shows the preview alone, until it ends. It cannot be taken back before.";

export const user = "User";
export const endUserOf = (partner: string) => `An end-user of ${partner}.`;
export const signsIn = "Somebody who signs in.";
/** Facts of a user. */
export const email = "E-mail";
export const unconfirmed = (email: string) => `${email} (not confirmed)`;
export const id = "Id";
export const partnersId = "The partner’s own id";
export const role = "Role";
export const roleStaff = "Staff";
export const since = "Since";
export const suspended = "Suspended";
export const beingDeleted = "Being deleted";
export const deletedSince = (time: string) => `since ${time}`;

export const accounts = "Accounts";
export const accountsHead = ["Account", "Network", "Id", "State"];
export const noAccounts = "None is connected.";
export const connected = "Connected";
export const toReconnect = "To be connected again: the network asks for it";
export const toReconnectWhy = (why: string) => `To be connected again: ${why}`;
export const schedules = "Schedules";
/** The last is how the text of its first post begins. */
export const schedulesHead = ["Schedule", "State", "When", "Begins"];
export const noSchedules = "None.";
export const requests = "Requests";
export const noRequests = "None with a token in the last seven days.";

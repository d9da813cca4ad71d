import {
  listAccounts,
  listQueues,
  presentAccount,
  presentDestination,
  presentQueue,
  storedDestinations,
} from "../accounts";
import { db } from "../db";
import { auditForUser } from "../db/audit";
import { listMails, presentNotifications } from "../mail";
import { listImports, listMedia, presentImport, presentMedia } from "../media";
import { listAllowedApplications, listOwnApplications, listPersonalTokens, presentAllowedApplication } from "../oauth";
import { listAllFeedback, presentExportedFeedback } from "../reviews";
import { listSchedules, presentSchedule } from "../schedules";
import { withSixDigits } from "../time/instant";
import type { OwnUser } from "../users";
import { type LogPlace, listEndpoints, presentEndpoint, presentLogEntry, readLog } from "../webhooks";
import { listRequests } from "./request-log";

const PAGE = 100;
const NO_QUEUE = { timeZone: null, minutes: [] };

/**
 * Returns everything that Carillon stores about a user as a JSON text, in the API's own shapes, without tokens and secrets. What may
 * be very long is read and written one page at a time.
 */
export async function exportText(user: OwnUser): Promise<AsyncGenerator<string>> {
  const short = JSON.stringify(await shortPartOf(user));
  return (async function* () {
    yield short.slice(0, -1);
    yield* listText("media", (after?: [string, string]) => listMedia(user.id, { limit: PAGE, after }), presentMedia);
    yield* listText("events", eventsAfter({ ownerId: user.id }), presentLogEntry);
    yield* listText(
      "requests",
      (before?: number) => listRequests({ ownerId: user.id }, { limit: PAGE, before }),
      ({ requestId, at, method, path, status }) => ({ requestId, time: withSixDigits(at), method, path, status }),
    );
    yield* listText("posts", (before?: number) => listSchedules(user.id, { limit: PAGE, before }), presentSchedule);
    yield "}";
  })();
}

async function shortPartOf(user: OwnUser) {
  const owner = { ownerId: user.id };
  await auditForUser(db, user.id, { action: "user.exported", subject: user.id });
  const accounts = await listAccounts(user.id);
  const destinations = await storedDestinations(accounts.map(({ id }) => id));
  const queues = await listQueues(user.id);
  return {
    user: {
      id: user.id,
      name: user.name,
      ...(user.email ? { email: user.email } : {}),
      ...(user.externalUserId ? { externalUserId: user.externalUserId } : {}),
      createdTime: withSixDigits(user.createdAt),
    },
    accounts: accounts.map((account) => ({
      ...presentAccount(account),
      chats: (destinations.get(account.id) ?? []).map((chat) => presentDestination(account.platform, chat)),
      queue: presentQueue(queues.find(({ accountId }) => accountId === account.id) ?? NO_QUEUE),
    })),
    notifications: await presentNotifications(user.id),
    mails: (await listMails(user.id)).map(({ kind, state, createdAt }) => ({
      kind,
      state,
      createdTime: withSixDigits(createdAt),
    })),
    imports: (await listImports(user.id)).map(presentImport),
    webhooks: (await all((before?: number) => listEndpoints(owner, { limit: PAGE, before }))).map(presentEndpoint),
    applications: (await listOwnApplications(user.id)).map(({ clientId, name, redirectUris, createdAt }) => ({
      ...{ clientId, name, redirectUris },
      createdTime: withSixDigits(createdAt),
    })),
    allowedApplications: (await listAllowedApplications(user.id)).map(presentAllowedApplication),
    grants: (await listPersonalTokens(user.id)).map(({ name, scopes, createdAt, expiresAt }) => ({
      ...(name ? { name } : {}),
      scopes,
      createdTime: withSixDigits(createdAt),
      ...(expiresAt ? { endTime: withSixDigits(expiresAt) } : {}),
    })),
    feedback: (await listAllFeedback(user.id)).map((item) => ({
      postingScheduleId: item.scheduleId,
      ...presentExportedFeedback(item),
    })),
  };
}

const eventsAfter = (owner: { ownerId: string }) => async (since?: LogPlace) => {
  const { items, place, hasMore } = await readLog(owner, { since, limit: PAGE });
  return { items, next: hasMore ? place : undefined };
};

async function all<T, P>(page: (from: P | undefined) => Promise<Page<T, P>>): Promise<T[]> {
  const items: T[] = [];
  let from: P | undefined;
  do {
    const read = await page(from);
    items.push(...read.items);
    from = read.next;
  } while (from !== undefined);
  return items;
}

type Page<T, P> = { items: T[]; next?: P };

/** Yields a further field of an object: a list, one page at a time. */
async function* listText<T, P>(
  name: string,
  page: (from: P | undefined) => Promise<Page<T, P>>,
  present: (item: T) => unknown,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let isFirst = true;
  let from: P | undefined;
  do {
    const { items, next } = await page(from);
    const text = items.map((item) => JSON.stringify(present(item))).join(",");
    if (text !== "") yield isFirst ? text : `,${text}`;
    isFirst &&= text === "";
    from = next;
  } while (from !== undefined);
  yield "]";
}

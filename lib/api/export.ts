import {
  listAccountGroups,
  listAccounts,
  listQueues,
  presentAccount,
  presentAccountGroup,
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
import { listFeeds, presentFeed, presentSchedule, readAllSchedules } from "../schedules";
import { withSixDigits } from "../time/instant";
import type { OwnUser } from "../users";
import { type LogPlace, listEndpoints, presentEndpoint, presentLogEntry, readLog } from "../webhooks";
import { listRequests } from "./request-log";

const PAGE = 100;
/** The longest part that is read at once. Together with `PAGE`, it limits the memory of an export. */
const MAX_BYTES = 1_048_576;
const NO_QUEUE = { timeZone: null, minutes: [] };

/**
 * Returns everything that Carillon stores about a user as a JSON text, in the API's own shapes, without tokens and secrets. Every list
 * that may become long is read and written one page at a time.
 */
export async function exportText(user: OwnUser): Promise<AsyncGenerator<string>> {
  await auditForUser(db, user.id, { action: "user.exported", subject: user.id });
  const beginning = fieldsText(await firstPartOf(user));
  return (async function* () {
    yield `{${beginning}`;
    yield* listText("mails", (after?: [string, string]) => listMails(user.id, { limit: PAGE, after }), presentMail);
    yield* listText("imports", (after?: number) => listImports(user.id, { limit: PAGE, after }), presentImport);
    yield `,${fieldsText(await accessOf(user))}`;
    yield* pagesText("feeds", oneByOne(await listFeeds(user.id)), presentFeed);
    yield* listText(
      "feedback",
      (after?: [number, number]) => listAllFeedback(user.id, { limit: PAGE, after }),
      (item) => ({ postingScheduleId: item.scheduleId, ...presentExportedFeedback(item) }),
    );
    yield* listText("media", (after?: [string, string]) => listMedia(user.id, { limit: PAGE, after }), presentMedia);
    yield* listText("events", eventsAfter({ ownerId: user.id }), presentLogEntry);
    yield* listText(
      "requests",
      (before?: number) => listRequests({ ownerId: user.id }, { limit: PAGE, before }),
      ({ requestId, at, method, path, status }) => ({ requestId, time: withSixDigits(at), method, path, status }),
    );
    yield* pagesText("posts", readAllSchedules(user.id), presentSchedule);
    yield "}";
  })();
}

/** The fields of an object as JSON text, without its braces. */
const fieldsText = (part: object) => JSON.stringify(part).slice(1, -1);

async function firstPartOf(user: OwnUser) {
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
    accountGroups: (await listAccountGroups(user.id)).map(presentAccountGroup),
    notifications: await presentNotifications(user.id),
  };
}

const presentMail = ({ kind, state, createdAt }: { kind: string; state: string; createdAt: string }) => ({
  ...{ kind, state },
  createdTime: withSixDigits(createdAt),
});

async function accessOf(user: OwnUser) {
  const owner = { ownerId: user.id };
  return {
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
  };
}

const eventsAfter = (owner: { ownerId: string }) => async (since?: LogPlace) => {
  const { items, place, hasMore } = await readLog(owner, { since, limit: PAGE, maxBytes: MAX_BYTES });
  return { items, next: hasMore ? place : undefined };
};

type Page<T, P> = { items: T[]; next?: P };
type ReadPage<T, P> = (from: P | undefined) => Promise<Page<T, P>>;

async function all<T, P>(page: ReadPage<T, P>): Promise<T[]> {
  const items: T[] = [];
  for await (const some of pagesOf(page)) items.push(...some);
  return items;
}

async function* pagesOf<T, P>(page: ReadPage<T, P>): AsyncGenerator<T[]> {
  let from: P | undefined;
  do {
    const { items, next } = await page(from);
    yield items;
    from = next;
  } while (from !== undefined);
}

/** Pages of one item each, for items that are long. */
async function* oneByOne<T>(items: T[]): AsyncGenerator<T[]> {
  for (const item of items) yield [item];
}

/** Yields a further field of an object: a list, one page at a time. */
function listText<T, P>(name: string, page: ReadPage<T, P>, present: (item: T) => unknown): AsyncGenerator<string> {
  return pagesText(name, pagesOf(page), present);
}

async function* pagesText<T>(
  name: string,
  pages: AsyncGenerator<T[]>,
  present: (item: T) => unknown,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let isFirst = true;
  for await (const items of pages) {
    const text = items.map((item) => JSON.stringify(present(item))).join(",");
    if (text !== "") yield isFirst ? text : `,${text}`;
    isFirst &&= text === "";
  }
  yield "]";
}

import { type Account, fetchDestinationParts, refreshDestinations } from "../../accounts";
import type { Problem } from "../../errors";
import { log } from "../../log";
import { type Destination, type DestinationPart, type Network, networkOf, PlatformError } from "../../networks";
import type { NewSchedule } from "../input";

export type KnownAccount = Pick<Account, "id" | "platform"> & {
  isHeld?: boolean;
  textMax?: number | null;
  /** Read only if a setting or the first comment needs a permission that the account may lack. Absent: not known. */
  scopes?: string[];
};

/** The parts (board sections) of destinations, by account and destination; absent if they could not be fetched. */
export type PartsByDestination = Map<string, DestinationPart[]>;

/** What is known about destinations before the checks run. */
export type DestinationFacts = {
  /** Known destinations by account; absent if the network could not be asked, so that they are not checked. */
  destinations: Map<number, Destination[]>;
  /** The parts (board sections) of those destinations for which a setting names one, if they could be fetched. */
  parts: PartsByDestination;
};

const partsKey = (accountId: number, chatId: string) => `${accountId} ${chatId}`;

/** Fetches the parts of each destination for which a publication's settings name one. Each destination is fetched once. */
export async function fetchParts(
  accounts: KnownAccount[],
  publications: NewSchedule["publications"],
): Promise<PartsByDestination> {
  const questions = new Map<string, Promise<DestinationPart[] | undefined>>();
  for (const { socialMediaAccountId, platformSettings, posts } of publications) {
    const account = accounts.find(({ id }) => id === socialMediaAccountId);
    const parts = account && networkOf(account.platform).destinations?.parts;
    if (!parts || platformSettings[parts.setting] === undefined) continue;
    for (const { chatId } of posts) {
      const key = chatId && partsKey(account.id, chatId);
      if (key && !questions.has(key)) questions.set(key, partsOrUndefined(account, chatId));
    }
  }
  const answers = await Promise.all([...questions].map(async ([key, answer]) => [key, await answer] as const));
  return new Map(answers.flatMap(([key, parts]) => (parts ? [[key, parts] as const] : [])));
}

/** An unavailable network must not prevent scheduling. An unknown destination is reported as another problem. */
async function partsOrUndefined(account: KnownAccount, chatId: string): Promise<DestinationPart[] | undefined> {
  try {
    return await fetchDestinationParts(account, chatId);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.info({ account: account.id, answer: error.answer }, error.message);
    return undefined;
  }
}

/** A destination from the database; `isFresh` if it was updated within the last hour. */
export type StoredDestination = Destination & { accountId: number; isFresh: boolean };

/** The destinations fetched from the networks, by account; undefined if the network could not be asked. */
export type FetchedDestinations = Map<number, Destination[] | undefined>;

/**
 * Fetches the destinations of accounts if the stored ones are not enough: a post names an unknown or outdated destination, or
 * names none so that the account's only one is meant. Each account is fetched once.
 */
export async function fetchDestinations(
  accounts: Pick<Account, "id" | "platform">[],
  stored: StoredDestination[],
  publications: NewSchedule["publications"],
): Promise<FetchedDestinations> {
  const needed = accounts.filter(({ id, platform }) => {
    const { list, own } = networkOf(platform).destinations ?? {};
    if (!list) return false;
    const posts = publications.filter((one) => one.socialMediaAccountId === id).flatMap((one) => one.posts);
    const isKnown = (chatId: string) => stored.some((one) => one.accountId === id && one.id === chatId && one.isFresh);
    return posts.some(({ chatId }) => (chatId ? !isKnown(chatId) : !own));
  });
  return new Map(
    await Promise.all(needed.map(async (account) => [account.id, await destinationsOrUndefined(account)] as const)),
  );
}

/** An unavailable network must not prevent scheduling. Publishing will report an invalid destination. */
async function destinationsOrUndefined(account: Pick<Account, "id" | "platform">): Promise<Destination[] | undefined> {
  try {
    return await refreshDestinations(account);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.info({ account: account.id, answer: error.answer }, error.message);
    return undefined;
  }
}

type NewPost = NewSchedule["publications"][number]["posts"][number];

const CHOOSE_DESTINATION = "Use an id from GET /v1/accounts/{id}/chats";

/** `problem` is about the field `chatId`. Without `chatId`, the post goes to the account itself, or its destination is missing. */
type ChosenDestination = { chatId?: string; problem?: Omit<Problem, "path"> };

/**
 * Returns the destination of a post: the one that it names, or the account's only one if the network allows that.
 * @param known the account's destinations; undefined if the network could not be asked
 */
export function chooseDestination(
  network: Network,
  known: Destination[] | undefined,
  { chatId }: NewPost,
  isDraft: boolean,
): ChosenDestination {
  if (!network.destinations) return {}; // ignored: neither stored nor returned (SPEC, "Post")
  if (chatId) {
    if (!known || known.some(({ id }) => id === chatId)) return { chatId };
    const message = `is not a destination of this ${network.name} account: ${chatId}`;
    return { chatId, problem: { message, rule: "chat.unknown", fix: CHOOSE_DESTINATION } };
  }
  if (network.destinations.own) return {};
  const [only, ...others] = known ?? [];
  if (only && others.length === 0 && !network.destinations.required) return { chatId: only.id };
  if (isDraft) return {};
  const why = reasonForNoDestination(network, known);
  const message = `cannot be null: ${network.destinations.required ? `${network.name} needs one` : why}`;
  const change = chooseOnlyDestination(known ?? []);
  return { problem: { message, rule: "chat.required", fix: CHOOSE_DESTINATION, change } };
}

/** Returns the problem of a setting that names a part which the destination does not have. */
export function partProblems(
  { name, destinations }: Network,
  account: KnownAccount,
  settings: { [name: string]: unknown },
  posts: { chatId?: string }[],
  path: string,
  facts: DestinationFacts,
): Problem[] {
  const parts = destinations?.parts;
  const named = parts && settings[parts.setting];
  if (!parts || typeof named !== "string") return [];
  return posts.flatMap(({ chatId }) => {
    const known = chatId === undefined ? undefined : facts.parts.get(partsKey(account.id, chatId));
    if (!known || known.some(({ id }) => id === named)) return [];
    const message = `is not a ${parts.name} of this ${name} ${parts.of}: ${named}`;
    const offered = known.map(({ id, title }) => `${id} (${title})`).join(", ");
    const fix = offered ? `Use one of these: ${offered}` : `Leave it out: the ${parts.of} has none`;
    const change = { op: "remove" } as const;
    return [{ path: `${path}.${parts.setting}`, message, rule: "chat.part", measured: named, fix, change }];
  });
}

function reasonForNoDestination({ name }: Network, known: { id: string }[] | undefined): string {
  if (!known) return `${name} could not be asked which destinations the account has`;
  return known.length === 0 ? "the account has no destination yet" : "the account has several destinations";
}

/** Returns the change that sets the account's only destination. `add` also replaces an existing field (RFC 6902, 4.1). */
function chooseOnlyDestination([only, ...others]: { id: string }[]): Problem["change"] {
  return only && others.length === 0 ? { op: "add", value: only.id } : undefined;
}

import { type Account, askDestinations, askParts } from "../../accounts";
import type { Problem } from "../../errors";
import { log } from "../../log";
import { type Destination, type DestinationPart, type Network, networkOf, PlatformError } from "../../networks";
import type { NewSchedule } from "../input";
import type { Facts, KnownAccount } from "./facts";

/** The parts of destinations whose parts a setting names, by account and destination; none where they could not be learnt. */
export type Parts = Map<string, DestinationPart[]>;

const partsKey = (accountId: number, chatId: string) => `${accountId} ${chatId}`;

/** Asks the networks for the parts of each destination of which a publication names one. Each destination once. */
export async function askPartsWhereNamed(
  accounts: KnownAccount[],
  publications: NewSchedule["publications"],
): Promise<Parts> {
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

/** A network that is down must not keep people from scheduling; a destination that it does not know is another problem. */
async function partsOrUndefined(account: KnownAccount, chatId: string): Promise<DestinationPart[] | undefined> {
  try {
    return await askParts(account, chatId);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.info({ account: account.id, answer: error.answer }, error.message);
    return undefined;
  }
}

/** One from our own table; a fresh one was heard of within the last hour. */
export type StoredDestination = Destination & { accountId: number; isFresh: boolean };

/** What networks said when they were asked, by account; undefined where they could not be asked. */
export type Asked = Map<number, Destination[] | undefined>;

/**
 * Asks the networks that list destinations themselves, where what we know does not settle what posts name: a destination that
 * we do not know or have not heard of for long, or none at all where the account's only one would be meant. Each account once.
 */
export async function askWhereNeeded(
  accounts: Pick<Account, "id" | "platform">[],
  stored: StoredDestination[],
  publications: NewSchedule["publications"],
): Promise<Asked> {
  const needed = accounts.filter(({ id, platform }) => {
    if (!networkOf(platform).destinations?.list) return false;
    const posts = publications.filter((one) => one.socialMediaAccountId === id).flatMap((one) => one.posts);
    const isKnown = (chatId: string) => stored.some((one) => one.accountId === id && one.id === chatId && one.isFresh);
    return posts.some(({ chatId }) => !chatId || !isKnown(chatId));
  });
  return new Map(await Promise.all(needed.map(async (account) => [account.id, await asked(account)] as const)));
}

/** A network that is down must not keep people from scheduling: publishing finds out. */
async function asked(account: Pick<Account, "id" | "platform">): Promise<Destination[] | undefined> {
  try {
    return await askDestinations(account);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.info({ account: account.id, answer: error.answer }, error.message);
    return undefined;
  }
}

type NewPost = NewSchedule["publications"][number]["posts"][number];

const CHOOSE_CHAT = "Use an id of GET /v1/accounts/{id}/chats";

/** The destination that a post goes to: the one that it names, else the account's only one where that may be meant. */
export function chooseDestination(
  network: Network,
  account: KnownAccount | undefined,
  post: NewPost,
  path: string,
  isDraft: boolean,
  facts: Facts,
  problems: Problem[],
): string | undefined {
  if (!network.destinations) return undefined; // ignored, not stored, not answered (SPEC, "Post")
  const known = account && facts.destinations.get(account.id);
  if (post.chatId) {
    if (known && !known.some(({ id }) => id === post.chatId)) {
      const message = `is not a destination of this ${network.name} account: ${post.chatId}`;
      problems.push({ path: `${path}.chatId`, message, rule: "chat.unknown", fix: CHOOSE_CHAT });
    }
    return post.chatId;
  }
  const [only, ...others] = known ?? [];
  if (only && others.length === 0 && !network.destinations.required) return only.id;
  if (!isDraft) {
    const why = whyNone(network, known);
    const message = `cannot be null: ${network.destinations.required ? `${network.name} needs one` : why}`;
    const change = onlyOf(known ?? []);
    problems.push({ path: `${path}.chatId`, message, rule: "chat.required", fix: CHOOSE_CHAT, change });
  }
  return undefined;
}

/** A setting that names a part of the destination which that does not have. */
export function partProblems(
  { name, destinations }: Network,
  account: KnownAccount,
  settings: { [name: string]: unknown },
  posts: { chatId?: string }[],
  path: string,
  facts: Facts,
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

function whyNone({ name }: Network, known: { id: string }[] | undefined): string {
  if (!known) return `${name} could not be asked which destinations the account has`;
  return known.length === 0 ? "the account has no destination yet" : "the account has several destinations";
}

/** Where there is but one destination, it is chosen; `add` sets the field whether or not it stands there (RFC 6902, 4.1). */
function onlyOf([only, ...others]: { id: string }[]): Problem["change"] {
  return only && others.length === 0 ? { op: "add", value: only.id } : undefined;
}

import { type Account, askDestinations } from "../../accounts";
import { log } from "../../log";
import { type Destination, networkOf, PlatformError } from "../../networks";
import type { NewSchedule } from "../input";

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

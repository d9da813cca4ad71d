import { askParts } from "../../accounts";
import { log } from "../../log";
import { type DestinationPart, networkOf, PlatformError } from "../../networks";
import type { NewSchedule } from "../input";
import type { KnownAccount } from "./facts";

/** The parts of destinations whose parts a setting names, by account and destination; none where they could not be learnt. */
export type Parts = Map<string, DestinationPart[]>;

export const partsKey = (accountId: number, chatId: string) => `${accountId} ${chatId}`;

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
      if (key && !questions.has(key)) questions.set(key, asked(account, chatId));
    }
  }
  const answers = await Promise.all([...questions].map(async ([key, answer]) => [key, await answer] as const));
  return new Map(answers.flatMap(([key, parts]) => (parts ? [[key, parts] as const] : [])));
}

/** A network that is down must not keep people from scheduling; a destination that it does not know is another problem. */
async function asked(account: KnownAccount, chatId: string): Promise<DestinationPart[] | undefined> {
  try {
    return await askParts(account, chatId);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.info({ account: account.id, answer: error.answer }, error.message);
    return undefined;
  }
}

import { type Carillon, CarillonError, type Schemas } from "../../sdk/src";
import { type Command, Failure, plain, table, UsageError } from "./command";

export type Account = Schemas["Account"];

/** Short names of the networks. Longer spellings of the API are accepted too, in any case. */
const NAMES: { [name: string]: Account["platform"] } = {
  ...{ x: "X_TWITTER", twitter: "X_TWITTER", youtube: "YOUTUBE", threads: "THREADS", tiktok: "TIKTOK" },
  ...{ instagram: "INSTAGRAM", linkedin: "LINKEDIN", bluesky: "BLUE_SKY", telegram: "TELEGRAM" },
  ...{ facebook: "FACEBOOK", pinterest: "PINTEREST" },
};
const networkNames = Object.keys(NAMES).filter((name) => name !== "twitter");

/** @throws UsageError if no network has this name */
export function platformOf(word: string): Account["platform"] {
  const name = word.toLowerCase().replace(/_/g, "");
  const platform = NAMES[name === "xtwitter" ? "x" : name];
  if (!platform) throw new UsageError(`${word} is not a network. Use ${networkNames.join(", ")}`);
  return platform;
}

/** Returns `x:alice`, as accounts are written on the command line. */
export function nameOf({ platform, accountUsername }: Account): string {
  const network = Object.keys(NAMES).find((name) => NAMES[name] === platform);
  return `${network}:${plain(accountUsername).replace(/^@/, "")}`;
}

/** An account, and the channel, Page or board on it. */
export type Target = { account: Account; chatId?: string };

/**
 * Finds accounts as they are written on the command line: `12`, `x:alice`, or `@alice` if only one account has that name. A
 * channel, Page or board follows a slash, as in `facebook:alice/1234`.
 */
export async function findTargets(client: Carillon, entries: string[]): Promise<Target[]> {
  const accounts = await client.get("/v1/accounts");
  return entries.map((entry) => targetOf(entry, accounts));
}

function targetOf(entry: string, accounts: Account[]): Target {
  const [, name = "", chatId] = /^([^/]*)(?:\/(.+))?$/.exec(entry) ?? [];
  const [, network, handle = name] = /^([^:]*):(.*)$/.exec(name) ?? [];
  const platform = network === undefined ? undefined : platformOf(network);
  const isOn = (account: Account) => platform === undefined || account.platform === platform;
  const byId = accounts.filter((account) => isOn(account) && String(account.id) === handle);
  const same = (text: string) => text.replace(/^@/, "").toLowerCase();
  const byName = accounts.filter((one) => isOn(one) && handle !== "" && same(one.accountUsername) === same(handle));
  const [account, ...others] = byId.length > 0 ? byId : byName;
  if (!account) {
    const known = accounts.length === 0 ? "None is connected yet" : `Connected: ${accounts.map(nameOf).join(", ")}`;
    throw new Failure(`No account is called ${plain(entry)}. ${known}`);
  }
  if (others.length > 0) {
    const choices = [account, ...others].map((one) => `${nameOf(one)} (${one.id})`).join(", ");
    throw new Failure(`Several accounts are called ${plain(entry)}: ${choices}. Use the number in brackets`);
  }
  return { account, chatId };
}

export const accountsCommand: Command = {
  about: "Lists the connected accounts, or the channels, Pages and boards of one account",
  words: "[ACCOUNT]",
  maxWords: 1,
  async run({ words: [entry], client, print }) {
    const carillon = await client();
    if (entry === undefined) {
      const accounts = await carillon.get("/v1/accounts");
      const rows = accounts.map((one) => [String(one.id), nameOf(one), one.state]);
      return print(accounts, rows.length > 0 ? table(rows) : ["No account is connected yet."]);
    }
    const [target] = await findTargets(carillon, [entry]);
    if (!target) return;
    const { id, platform } = target.account;
    const chats = await carillon
      .get("/v1/accounts/{id}/chats", { path: { id }, query: { platform } })
      .catch(noneOnThisNetwork);
    const rows = chats.map((chat) => [`${id}/${chat.id}`, plain(chat.title)]);
    print(
      chats,
      rows.length > 0
        ? table(rows)
        : [`${nameOf(target.account)} has no channels, Pages or boards, so name the account alone.`],
    );
  },
};

/** The API refuses the question for accounts of networks without channels, Pages or boards. */
function noneOnThisNetwork(error: unknown): Schemas["Chat"][] {
  if (!(error instanceof CarillonError) || error.status !== 400) throw error;
  return [];
}

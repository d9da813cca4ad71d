import type { ListedAccount } from "../../accounts";
import type { Problem } from "../../errors";
import { allNetworks } from "../../networks";
import { type Platform, platforms } from "../../platforms";

export type KnownAccount = Pick<ListedAccount, "id" | "platform" | "username" | "networkAccountId">;
type Found = { account: KnownAccount } | { problem: Omit<Problem, "path"> };

const plain = (word: string) => word.trim().toLowerCase();
const bare = (handle: string) => plain(handle).replace(/^@/, "");

/** Every spelling of a platform: `X_TWITTER`, `TWITTER`, `x`. */
const spellings = new Map<string, Platform>(
  allNetworks().flatMap(({ platform, settingsTypes }) =>
    [platform, platforms[platform], ...settingsTypes].map((word) => [plain(word), platform] as const),
  ),
);

/** The platform that a word names, in any of the spellings that the API takes, however it is written. */
export function platformNamed(word: string): Platform | undefined {
  return spellings.get(plain(word));
}

/** Entries of one cell, `;` between. */
export function entriesOf(cell: string | undefined): string[] {
  return (cell ?? "").split(";").map((entry) => entry.trim());
}

/** The account that an entry names: an Account `id`, `@handle`, `x:handle`, or `x:` and the network's own id. */
export function accountNamed(entry: string, accounts: KnownAccount[]): Found {
  const [, prefix = "", rest = ""] = /^([^:]*):(.*)$/.exec(entry) ?? [];
  const platform = prefix ? platformNamed(prefix) : undefined;
  const name = platform ? rest : entry;
  const on = accounts.filter((account) => !platform || account.platform === platform);
  const [account, ...others] = found(name, on, platform !== undefined);
  if (account && others.length === 0) return { account };
  if (!account) {
    const fix = "Use an id of GET /v1/accounts, or write it like x:handle";
    return {
      problem: {
        message: `is not one of this user's accounts: ${entry}`,
        rule: "account.unknown",
        measured: entry,
        fix,
      },
    };
  }
  const limit = [account, ...others].map(({ id }) => String(id));
  const fix = `Name one by its id: ${limit.join(" or ")}`;
  const message = `could be any of ${limit.length} accounts: ${entry}`;
  return { problem: { message, rule: "csv.account_ambiguous", measured: entry, limit, fix } };
}

/** An id is one account whatever handles there are besides. */
function found(name: string, accounts: KnownAccount[], hasPlatform: boolean): KnownAccount[] {
  const byId = accounts.filter(({ id }) => String(id) === name.trim());
  if (byId.length > 0) return byId;
  return accounts.filter(
    ({ username, networkAccountId }) =>
      (username !== "" && bare(username) === bare(name)) || (hasPlatform && networkAccountId === name.trim()),
  );
}

/** An account as people read it, `x:handle`, where that names no other; its id where it does. */
export function nameFor(account: KnownAccount, accounts: KnownAccount[]): string {
  const name = `${platforms[account.platform]}:${bare(account.username)}`;
  if (bare(account.username) === "" || name.includes(";")) return String(account.id);
  const meant = accountNamed(name, accounts);
  return "account" in meant && meant.account.id === account.id ? name : String(account.id);
}

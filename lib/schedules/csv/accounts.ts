import type { ListedAccount } from "../../accounts";
import type { Problem } from "../../errors";
import { allNetworks } from "../../networks";
import { type Platform, platforms } from "../../platforms";

export type CsvAccount = Pick<ListedAccount, "id" | "platform" | "username" | "networkAccountId">;
type AccountMatch = { account: CsvAccount } | { problem: Omit<Problem, "path"> };

const normalized = (word: string) => word.trim().toLowerCase();
const normalizedHandle = (handle: string) => normalized(handle).replace(/^@/, "");

/** Platforms by every accepted spelling, such as `X_TWITTER`, `TWITTER` or `x`. */
const spellings = new Map<string, Platform>(
  allNetworks().flatMap(({ platform, settingsTypes }) =>
    [platform, platforms[platform], ...settingsTypes].map((word) => [normalized(word), platform] as const),
  ),
);

/** Returns the platform for any spelling that the API accepts, ignoring case. */
export function parsePlatform(word: string): Platform | undefined {
  return spellings.get(normalized(word));
}

/** The entries of a cell that are read. Every column allows far fewer, and splitting a cell of 2 MB would take too long. */
const MAX_ENTRIES = 1000;

/** Splits a cell at `;`. Entries after the first 1,000 are left out. */
export function splitEntries(cell: string | undefined): string[] {
  return (cell ?? "").split(";", MAX_ENTRIES).map((entry) => entry.trim());
}

/** Finds the account of an entry: an Account `id`, `@handle`, `x:handle`, or `x:` and the network's own id. */
export function parseAccount(entry: string, accounts: CsvAccount[]): AccountMatch {
  const [, prefix = "", rest = ""] = /^([^:]*):(.*)$/.exec(entry) ?? [];
  const platform = prefix ? parsePlatform(prefix) : undefined;
  const name = platform ? rest : entry;
  const on = accounts.filter((account) => !platform || account.platform === platform);
  const [account, ...others] = findMatches(name, on, platform !== undefined);
  if (account && others.length === 0) return { account };
  if (!account) {
    const fix = "Use an id from GET /v1/accounts, or write it like x:handle";
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
  const fix = `Use the id of one of them: ${limit.join(" or ")}`;
  const message = `matches ${limit.length} accounts: ${entry}`;
  return { problem: { message, rule: "csv.account_ambiguous", measured: entry, limit, fix } };
}

/** An id takes precedence over handles. */
function findMatches(name: string, accounts: CsvAccount[], hasPlatform: boolean): CsvAccount[] {
  const byId = accounts.filter(({ id }) => String(id) === name.trim());
  if (byId.length > 0) return byId;
  return accounts.filter(
    ({ username, networkAccountId }) =>
      (username !== "" && normalizedHandle(username) === normalizedHandle(name)) ||
      (hasPlatform && networkAccountId === name.trim()),
  );
}

/** Returns `x:handle` for an account if that is unambiguous, otherwise its id. */
export function csvAccountName(account: CsvAccount, accounts: CsvAccount[]): string {
  const name = `${platforms[account.platform]}:${normalizedHandle(account.username)}`;
  if (normalizedHandle(account.username) === "" || name.includes(";")) return String(account.id);
  const meant = parseAccount(name, accounts);
  return "account" in meant && meant.account.id === account.id ? name : String(account.id);
}

"use client";
import { memo, type ReactNode, useState } from "react";
import { AccountFace } from "../../accounts/account-face";
import { groupDots, handleOf } from "../../accounts/names";
import { useAccountGroups } from "../../api/queries";
import type { ApiAccount, ApiAccountGroup } from "../../api/types";
import type { NetworkFacts } from "../../networks/types";
import { buttonClass } from "../../ui/button";
import { SpriteIcon } from "../../ui/icons";
import { Link } from "../../ui/link";
import { ACCOUNTS_ID } from "../check/fixes";
import type { EditDraft } from "../draft/use-autosave";
import { composeWords } from "../words";

type Props = {
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  ids: string[];
  /** The accounts of the newest post. */
  lastUsed: string[];
  edit: EditDraft;
};

const NO_GROUPS: ApiAccountGroup[] = [];

/** From this number of accounts on, the search is shown; with many more, the accounts are folded. */
const SEARCHED = 10;
const FOLDED = 25;

/** On a phone, a row scrolls sideways, so that the text below it stays on the first screen. */
const row = "flex md:flex-wrap max-md:-m-2 max-md:overflow-x-auto max-md:p-2 max-md:*:shrink-0 [scrollbar-width:none]";

/** The accounts as pictures to tick; a post goes to all that are ticked. */
export const AccountPicker = memo(function AccountPicker({ accounts, networks, ids, lastUsed, edit }: Props) {
  const [search, setSearch] = useState("");
  const { data: groups = NO_GROUPS } = useAccountGroups();
  const nameOf = ({ platform }: ApiAccount) => networks.find((one) => one.platform === platform)?.name ?? platform;
  const found = accounts.filter((account) =>
    `${account.accountDisplayName} ${handleOf(account)} ${nameOf(account)}`
      .toLowerCase()
      .includes(search.trim().toLowerCase()),
  );
  const isOn = ({ id }: ApiAccount) => ids.includes(String(id));
  const choose = (some: string[], isChosen: boolean) =>
    edit((draft) => {
      const others = draft.accountIds.filter((id) => !some.includes(id));
      return { ...draft, accountIds: isChosen ? [...others, ...some] : others };
    });
  const isFolded = accounts.length >= FOLDED && search === "";
  const faces = (some: ApiAccount[]) => (
    <div className={isFolded ? "flex flex-wrap gap-1" : "flex gap-1 md:flex-wrap"}>
      {some.map((account) => (
        <Face
          key={account.id}
          account={account}
          networkName={nameOf(account)}
          isOn={isOn(account)}
          set={(isChosen) => choose([String(account.id)], isChosen)}
        />
      ))}
    </div>
  );
  const sections = sectionsOf(found, groups, isFolded ? nameOf : undefined);
  return (
    <fieldset id={ACCOUNTS_ID} tabIndex={-1} className="grid min-w-0 gap-2">
      <legend className="sr-only">{composeWords.postTo}</legend>
      {accounts.length === 0 && (
        <div className="grid justify-items-start gap-3 rounded-xl bg-sunk p-4">
          <p>{composeWords.noAccount}</p>
          <Link href="/accounts" className={buttonClass("primary")}>
            {composeWords.connect}
          </Link>
        </div>
      )}
      {accounts.length > 0 && (
        <div className={`min-h-9 items-center gap-2 ${row}`}>
          <span aria-hidden className="mr-1 font-semibold text-sm">
            {composeWords.postTo}
          </span>
          {lastUsed.length > 0 && (
            <Chip
              isOn={lastUsed.length === ids.length && lastUsed.every((id) => ids.includes(id))}
              count={lastUsed.length}
              onClick={() => edit((draft) => ({ ...draft, accountIds: lastUsed }))}
            >
              {composeWords.lastUsed}
            </Chip>
          )}
          {groups.map(({ id, name, colour, accountIds }) => {
            const some = accountIds.map(String);
            const isAll = some.length > 0 && some.every((one) => ids.includes(one));
            return (
              <Chip key={id} isOn={isAll} count={some.length} onClick={() => choose(some, !isAll)}>
                <span aria-hidden className={`size-2.5 rounded-sm ${groupDots[colour]}`} />
                <span className="max-w-40 truncate">{name}</span>
              </Chip>
            );
          })}
          {accounts.length >= SEARCHED && (
            <input
              type="search"
              aria-label={composeWords.findAccount}
              placeholder={composeWords.findAccount}
              value={search}
              onChange={({ target }) => setSearch(target.value)}
              className="min-h-9 w-44 rounded-lg border border-edge bg-surface px-3 text-sm sm:ml-auto"
            />
          )}
        </div>
      )}
      {/* Hides the border and the padding before a group that begins a row. */}
      <div className="min-w-0 md:overflow-x-clip">
        <div className={isFolded ? "grid" : `gap-x-4 gap-y-2 md:-ml-4 ${row}`}>
          {sections.map(({ name, some }) =>
            isFolded ? (
              <details key={name} className="border-line border-t">
                <summary className="min-h-9 py-2 text-sm">
                  {name}{" "}
                  <span className="text-muted">{composeWords.chosenOf(some.filter(isOn).length, some.length)}</span>
                </summary>
                {faces(some)}
              </details>
            ) : name ? (
              <fieldset key={name} className="min-w-0 border-line md:border-l md:pl-4">
                <legend className="max-w-52 truncate px-1 text-muted text-xs">{name}</legend>
                {faces(some)}
              </fieldset>
            ) : (
              <div key={name} className="md:pl-4">
                {faces(some)}
              </div>
            ),
          )}
        </div>
      </div>
      {search !== "" && found.length === 0 && <p className="text-muted text-sm">{composeWords.noAccountFound}</p>}
    </fieldset>
  );
});

type Section = { name: string; some: ApiAccount[] };

/**
 * Each account once, in its first group. Accounts without a group come last: together, or by what `otherwise` says of them.
 */
function sectionsOf(accounts: ApiAccount[], groups: ApiAccountGroup[], otherwise?: (account: ApiAccount) => string) {
  const sections: Section[] = [];
  for (const account of accounts) {
    const group = groups.find(({ accountIds }) => accountIds.includes(account.id));
    const name = group?.name ?? otherwise?.(account) ?? (groups.length > 0 ? composeWords.otherAccounts : "");
    const section = sections.find((one) => one.name === name);
    if (section) section.some.push(account);
    else sections.push({ name, some: [account] });
  }
  const placeOf = ({ name }: Section) => {
    const place = groups.findIndex((group) => group.name === name);
    return place < 0 ? groups.length : place;
  };
  return sections.toSorted((a, b) => placeOf(a) - placeOf(b));
}

type ChipProps = { isOn: boolean; count: number; onClick: () => void; children: ReactNode };

function Chip({ isOn, count, onClick, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-line px-3 text-sm hover:bg-sunk aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
    >
      {children} <span className="text-muted text-xs">{count}</span>
    </button>
  );
}

type FaceProps = { account: ApiAccount; networkName: string; isOn: boolean; set: (isOn: boolean) => void };

/** The picture of an account with a ring and a tick when it is on, and a sign when it needs reconnecting. */
function Face({ account, networkName, isOn, set }: FaceProps) {
  const isToReconnect = account.state === "RECONNECT_REQUIRED";
  const network = isToReconnect ? composeWords.toReconnect(networkName) : networkName;
  const name = `${handleOf(account)} ${network}`;
  const sign = "absolute -top-1 -right-1 grid size-5 place-items-center rounded-full ring-2 ring-paper";
  return (
    <label title={name} className="relative grid w-16 justify-items-center gap-1 rounded-xl pt-1.5 pb-1 hover:bg-sunk">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => set(target.checked)}
        className="peer absolute inset-0 z-10 cursor-pointer opacity-0"
      />
      <span
        className={`relative grid rounded-full p-0.5 ring-2 peer-focus-visible:outline-3 peer-focus-visible:outline-gold peer-focus-visible:outline-offset-4 ${isOn ? "ring-accent" : "opacity-70 ring-transparent saturate-50"}`}
      >
        <AccountFace account={account} size="size-9" />
        {isOn ? (
          <span className={`bg-accent text-on-accent ${sign}`}>
            <SpriteIcon name="check" className="size-3 [stroke-width:3]" />
          </span>
        ) : (
          isToReconnect && (
            <span className={`bg-gold text-on-gold ${sign}`}>
              <SpriteIcon name="triangle-alert" className="size-3" />
            </span>
          )
        )}
      </span>
      <span className="sr-only">{name}</span>
      <span aria-hidden className="w-full truncate px-0.5 text-center text-muted text-xs">
        {handleOf(account)}
      </span>
    </label>
  );
}

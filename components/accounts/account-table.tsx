"use client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useAccountGroups, useAccountPlans } from "../api/queries";
import type { ApiAccount, ApiAccountGroup, ApiAccountPlan } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { weekSummary } from "../queue/week";
import { dayAndTime } from "../time/format";
import { useNow } from "../time/use-now";
import { Button } from "../ui/button";
import {
  CheckCircle2,
  ChevronDown,
  ChevronRight,
  Clock,
  Ellipsis,
  FolderPlus,
  Search,
  TriangleAlert,
} from "../ui/icons";
import { Link } from "../ui/link";
import { AccountFace } from "./account-face";
import { AccountWindow } from "./account-window";
import { GroupWindow } from "./group-window";
import { endsSoon, groupDots, handleOf } from "./names";
import { ReconnectForm } from "./reconnect-form";
import { accountWords } from "./words";

type Props = { accounts: ApiAccount[]; networks: NetworkFacts[]; soughtId?: number };

/** The accounts by group, with a search and a filter. Groups fold. */
export function AccountTable({ accounts, networks, soughtId }: Props) {
  const groups = useAccountGroups();
  const plans = useAccountPlans();
  const nowMs = useNow(60_000);
  const [search, setSearch] = useState("");
  const [platform, setPlatform] = useState("");
  const [openId, setOpenId] = useState<number>();
  const [edited, setEdited] = useState<ApiAccountGroup | "new">();
  const networkOf = (account: ApiAccount) => networks.find((one) => one.platform === account.platform);
  const shown = accounts.filter(
    (account) =>
      (platform === "" || account.platform === platform) && matches(account, networkOf(account)?.name ?? "", search),
  );
  const opened = accounts.find(({ id }) => id === openId);
  const parts = partsOf(shown, groups.data ?? []);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <label className="relative flex-1 basis-56 sm:max-w-72">
          <span className="sr-only">{accountWords.search}</span>
          <Search
            aria-hidden
            className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-4 text-muted"
          />
          <input
            type="search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
            placeholder={accountWords.searchAll(accounts.length)}
            className="min-h-11 w-full rounded-lg border border-edge bg-surface pr-3 pl-9"
          />
        </label>
        <select
          aria-label={accountWords.network}
          value={platform}
          onChange={({ target }) => setPlatform(target.value)}
          className="min-h-11 rounded-lg border border-edge bg-surface px-3"
        >
          <option value="">{accountWords.allNetworks}</option>
          {networks
            .filter((network) => accounts.some((account) => account.platform === network.platform))
            .map((network) => (
              <option key={network.platform} value={network.platform}>
                {network.name}
              </option>
            ))}
        </select>
        <Button look="quiet" className="sm:ml-auto" onClick={() => setEdited("new")}>
          <FolderPlus aria-hidden className="size-4" />
          {accountWords.groups.new}
        </Button>
      </div>
      {shown.length === 0 && <p className="py-6 text-muted">{accountWords.noneFound}</p>}
      {shown.length > 0 && (
        <table className="w-full text-left">
          <thead className="border-line border-b text-muted text-sm">
            <tr>
              <Heading>{accountWords.columns.account}</Heading>
              <Heading className="max-sm:hidden">{accountWords.columns.state}</Heading>
              <Heading className="max-wide:hidden">{accountWords.queue}</Heading>
              <Heading className="max-md:hidden">{accountWords.columns.next}</Heading>
              <Heading className="text-right max-lg:hidden">{accountWords.columns.scheduled}</Heading>
              <Heading>
                <span className="sr-only">{accountWords.columns.actions}</span>
              </Heading>
            </tr>
          </thead>
          {parts.map(({ group, accounts: members }) => (
            <Part
              key={group?.id ?? 0}
              group={group}
              count={members.length}
              edit={setEdited}
              isAlone={parts.length === 1}
            >
              {members.map((account) => (
                <Row
                  key={account.id}
                  account={account}
                  networkName={networkOf(account)?.name ?? account.platform}
                  plan={plans.data?.find(({ accountId }) => accountId === account.id)}
                  nowMs={nowMs}
                  isSought={
                    account.id === soughtId &&
                    members === parts.find((part) => part.accounts.includes(account))?.accounts
                  }
                  open={() => setOpenId(account.id)}
                />
              ))}
            </Part>
          ))}
        </table>
      )}
      {opened && <AccountWindow account={opened} network={networkOf(opened)} close={() => setOpenId(undefined)} />}
      {edited && (
        <GroupWindow
          group={edited === "new" ? undefined : edited}
          accounts={accounts}
          networks={networks}
          close={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

function matches({ accountDisplayName, accountUsername }: ApiAccount, networkName: string, search: string): boolean {
  const text = `${accountDisplayName} @${accountUsername.replace(/^@/, "")} ${networkName}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

type AccountPart = { group?: ApiAccountGroup; accounts: ApiAccount[] };

/** The groups that have one of these accounts or none at all, and then the accounts that are in no group. */
function partsOf(accounts: ApiAccount[], groups: ApiAccountGroup[]): AccountPart[] {
  const grouped = groups
    .map((group) => ({ group, accounts: accounts.filter(({ id }) => group.accountIds.includes(id)) }))
    .filter((part) => part.accounts.length > 0 || part.group.accountIds.length === 0);
  const others = accounts.filter(({ id }) => !groups.some(({ accountIds }) => accountIds.includes(id)));
  return others.length > 0 ? [...grouped, { accounts: others }] : grouped;
}

function Heading({ className = "", children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={`px-2 py-2 font-normal first:pl-3 ${className}`}>
      {children}
    </th>
  );
}

type PartProps = {
  group: ApiAccountGroup | undefined;
  count: number;
  edit: (group: ApiAccountGroup) => void;
  /** There is no other part, so accounts without a group need no heading. */
  isAlone: boolean;
  children: ReactNode;
};

function Part({ group, count, edit, isAlone, children }: PartProps) {
  const [isFolded, setFolded] = useState(false);
  const words = accountWords.groups;
  if (!group && isAlone) return <tbody>{children}</tbody>;
  const Arrow = isFolded ? ChevronRight : ChevronDown;
  return (
    <tbody>
      <tr className="border-line border-b">
        <th scope="colgroup" colSpan={6} className="max-w-0 pt-4 pb-1 font-normal">
          <span className="flex items-center gap-2">
            <button
              type="button"
              aria-expanded={!isFolded}
              onClick={() => setFolded(!isFolded)}
              className="flex min-h-9 min-w-0 items-center gap-2 rounded-lg px-2 font-semibold hover:bg-sunk"
            >
              <Arrow aria-hidden className="size-4 shrink-0 text-muted" />
              {group && <span aria-hidden className={`size-2.5 shrink-0 rounded-sm ${groupDots[group.colour]}`} />}
              <span className="truncate">{group?.name ?? words.none}</span>
              <span className="font-normal text-muted text-sm">{count}</span>
            </button>
            {group && (
              <button
                type="button"
                aria-label={words.editOne(group.name)}
                onClick={() => edit(group)}
                className="min-h-9 shrink-0 rounded-lg px-2 text-accent text-sm underline hover:bg-sunk"
              >
                {words.edit}
              </button>
            )}
          </span>
        </th>
      </tr>
      {!isFolded && children}
    </tbody>
  );
}

type RowProps = {
  account: ApiAccount;
  networkName: string;
  plan: ApiAccountPlan | undefined;
  nowMs: number;
  isSought: boolean;
  open: () => void;
};

function Row({ account, networkName, plan, nowMs, isSought, open }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (!isSought) return;
    row.current?.scrollIntoView({ block: "center" });
    row.current?.focus({ preventScroll: true });
  }, [isSought]);
  const handle = handleOf(account);
  return (
    <tr
      ref={row}
      tabIndex={isSought ? -1 : undefined}
      className="border-line border-b align-middle hover:bg-sunk focus:outline-3 focus:outline-accent"
    >
      <td className="w-full max-w-0 py-2 pr-2 pl-3 md:w-auto md:max-w-72">
        <div className="flex min-w-0 items-center gap-3">
          <AccountFace account={account} size="size-9" />
          <div className="min-w-0">
            <p className="truncate font-medium">{account.accountDisplayName || handle}</p>
            <p className="truncate text-muted text-sm">
              {networkName}, {handle}
            </p>
            <div className="flex flex-wrap items-center gap-2 sm:hidden">
              {account.state !== "ACTIVE" && <State account={account} nowMs={nowMs} />}
              <Renewal account={account} nowMs={nowMs} />
            </div>
          </div>
        </div>
      </td>
      <td className="px-2 py-2 text-sm max-sm:hidden">
        <State account={account} nowMs={nowMs} />
      </td>
      <td className="px-2 py-2 text-sm max-wide:hidden">
        {plan && (
          <Link
            href={`/accounts/${account.id}/queue`}
            aria-label={`${accountWords.queueOf(handle)}: ${plan.slots.length > 0 ? weekSummary(plan.slots) : accountWords.noTimesYet}`}
            className={`inline-flex min-h-9 items-center gap-2 ${plan.slots.length > 0 ? "hover:underline" : "text-accent underline"}`}
          >
            {plan.slots.length > 0 && <Clock aria-hidden className="size-4 shrink-0 text-muted" />}
            {plan.slots.length > 0 ? weekSummary(plan.slots) : accountWords.noTimesYet}
          </Link>
        )}
      </td>
      <td className="whitespace-nowrap px-2 py-2 text-sm max-md:hidden">
        {plan?.nextTime ? (
          dayAndTime(new Date(plan.nextTime), nowMs)
        ) : (
          <span className="text-muted">{plan && accountWords.noNext}</span>
        )}
      </td>
      <td className="px-2 py-2 text-right text-sm tabular-nums max-lg:hidden">{plan?.scheduled}</td>
      <td className="py-2 pr-2">
        <div className="flex items-center justify-end gap-2">
          <div className="max-sm:hidden">
            <Renewal account={account} nowMs={nowMs} />
          </div>
          <button
            type="button"
            aria-label={accountWords.moreFor(handle, networkName)}
            aria-haspopup="dialog"
            onClick={open}
            className="grid size-11 shrink-0 place-items-center rounded-lg text-muted hover:bg-line hover:text-ink md:size-9"
          >
            <Ellipsis aria-hidden className="size-4.5" />
          </button>
        </div>
      </td>
    </tr>
  );
}

const pill =
  "inline-flex items-center gap-1.5 whitespace-nowrap rounded-md bg-warn-soft px-2 py-0.5 font-medium text-sm text-warn";

function State({ account, nowMs }: { account: ApiAccount; nowMs: number }) {
  if (account.state !== "ACTIVE") {
    return (
      <span className={pill}>
        <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
        {accountWords.states[account.state]}
      </span>
    );
  }
  const end = endsSoon(account, nowMs);
  if (end) return <span className={pill}>{accountWords.endsIn(Math.ceil((end.ms - nowMs) / 86_400_000))}</span>;
  return (
    <span className="inline-flex items-center gap-1.5 text-accent text-sm">
      <CheckCircle2 aria-hidden className="size-4 shrink-0" />
      {accountWords.connected}
    </span>
  );
}

/** The button that reconnects the account, if it needs that or will soon. */
function Renewal({ account, nowMs }: { account: ApiAccount; nowMs: number }) {
  const words = accountWords.reconnect;
  const isNeeded = account.state === "RECONNECT_REQUIRED";
  if (!isNeeded && !endsSoon(account, nowMs)) return null;
  const handle = handleOf(account);
  return (
    <ReconnectForm account={account}>
      <Button
        type="submit"
        look={isNeeded ? "primary" : "quiet"}
        className="whitespace-nowrap text-sm md:min-h-9 md:px-3 md:py-1"
        aria-label={isNeeded ? words.reconnectOne(handle) : words.renewOne(handle)}
      >
        {isNeeded ? words.reconnect : words.renew}
      </Button>
    </ReconnectForm>
  );
}

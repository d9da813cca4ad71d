"use client";
import { type RefObject, useEffect, useState } from "react";
import { displayName, handleOf } from "../accounts/names";
import type { ApiAccount, ApiPostCounts } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { language } from "../time/format";
import { Search, X } from "../ui/icons";
import {
  type PostsPlace,
  type PostsTab,
  postSorts,
  type Sort,
  type Span,
  spans,
  statusesOf,
  tabs,
  usualSort,
} from "./place";
import { tableWords } from "./table-words";

type Going = { place: PostsPlace; go: (to: Partial<PostsPlace>) => void };

/** How many posts are in a tab; undefined while that is not known. `isMore`: at least as many. */
export type TabCount = { count: number; isMore: boolean };

export function tabCountOf(tab: PostsTab, counts: ApiPostCounts | undefined, waiting: ApiPostCounts | undefined) {
  if (!counts) return undefined;
  const statuses = statusesOf[tab] ?? (Object.keys(counts.counts) as (keyof ApiPostCounts["counts"])[]); // its own keys
  const sums = statuses.map((status) => counts.counts[status]);
  if (tab === "attention" && waiting) sums.push(waiting.counts.SCHEDULED, waiting.counts.AWAITING_MEDIA);
  const count = sums.reduce((sum, one) => sum + one, 0);
  return { count, isMore: count >= counts.limit };
}

/** `5,214`, or `10k+` where the API stops to count. */
export function countWords({ count, isMore }: TabCount): string {
  return isMore ? tableWords.tenThousand : count.toLocaleString(language);
}

/** The tabs with their counts. The tab of proposed posts is hidden while there are no such posts. */
export function PostTabs({ place, go, counts }: Going & { counts: (tab: PostsTab) => TabCount | undefined }) {
  return (
    <nav
      aria-label={tableWords.tabsLabel}
      className="-mx-4 overflow-x-auto overflow-y-hidden border-line border-b px-4 md:mx-0 md:px-0"
    >
      <ul className="flex w-max gap-1">
        {tabs.map((tab) => {
          const count = counts(tab);
          if (tab === "proposed" && place.tab !== tab && !count?.count) return null;
          const isUrgent = tab === "attention" && count !== undefined && count.count > 0;
          return (
            <li key={tab} className="has-aria-[current]:[scroll-initial-target:nearest]">
              <button
                type="button"
                aria-current={place.tab === tab ? "true" : undefined}
                onClick={() => go({ tab, sort: undefined })}
                className="-mb-px flex min-h-11 items-center md:min-h-10 gap-2 whitespace-nowrap border-transparent border-b-2 px-3 font-semibold text-muted text-sm hover:text-ink focus-visible:-outline-offset-3 aria-[current]:border-accent aria-[current]:text-ink"
              >
                {tableWords.tabs[tab]}
                <span
                  className={`min-w-4 text-xs tabular-nums ${isUrgent ? "rounded-full bg-wrong-soft px-1.5 py-0.5 text-wrong" : ""}`}
                >
                  {count && countWords(count)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

type FilterProps = Going & {
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  searchField: RefObject<HTMLInputElement | null>;
};

/** The search and the filters. */
export function PostFilters({ place, go, accounts, networks, searchField }: FilterProps) {
  const used = networks.filter(({ platform }) => accounts.some((account) => account.platform === platform));
  const usual = usualSort(place);
  const possible = postSorts.filter((sort) => sort !== "near" || usual === "near");
  return (
    <search className="flex flex-wrap items-center gap-2 py-1.5">
      <SearchField text={place.text ?? ""} search={(text) => go({ text })} field={searchField} />
      <select
        aria-label={tableWords.sort}
        value={place.sort ?? usual}
        onChange={({ target }) => {
          const sort = target.value as Sort; // one of the options below
          go({ sort: sort === usual ? undefined : sort });
        }}
        className="min-h-11 shrink-0 rounded-full border border-transparent bg-transparent px-2 font-semibold text-muted text-sm hover:text-ink md:min-h-9"
      >
        {possible.map((sort) => (
          <option key={sort} value={sort}>
            {tableWords.sorts[sort]}
          </option>
        ))}
      </select>
      <span className="flex w-full flex-wrap items-center gap-2 md:contents">
        <Chip
          name={tableWords.account}
          value={place.accountId}
          choose={(accountId) => go({ accountId })}
          any={tableWords.anyAccount}
        >
          {used.map(({ platform, name }) => (
            <optgroup key={platform} label={name}>
              {accounts
                .filter((account) => account.platform === platform)
                .map((account) => (
                  <option key={account.id} value={account.id}>
                    {handleOf(account)}
                  </option>
                ))}
            </optgroup>
          ))}
        </Chip>
        <Chip
          name={tableWords.network}
          value={place.platform}
          choose={(platform) => go({ platform })}
          any={tableWords.anyNetwork}
        >
          {used.map(({ platform, name }) => (
            <option key={platform} value={platform}>
              {name}
            </option>
          ))}
        </Chip>
        <Chip
          name={tableWords.time}
          value={place.span}
          choose={(span) => go({ span: spans.find((one) => one === span), sort: undefined })}
          any={tableWords.anyTime}
        >
          {spans.map((span) => (
            <option key={span} value={span}>
              {tableWords.spans[span]}
            </option>
          ))}
        </Chip>
      </span>
    </search>
  );
}

const PAUSE_MS = 200;

type SearchProps = {
  text: string;
  search: (text: string | undefined) => void;
  field: RefObject<HTMLInputElement | null>;
};

/** The search field. It searches once the typing pauses. */
function SearchField({ text, search, field }: SearchProps) {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  if (text !== known) {
    // The address has changed, for example because the filters were cleared.
    setKnown(text);
    if (typed.trim() !== text) setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => search(typed.trim() || undefined), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <span className="relative min-w-0 flex-1 md:w-72 md:flex-none">
      <Search aria-hidden className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <input
        ref={field}
        type="search"
        maxLength={200}
        aria-label={tableWords.search}
        aria-keyshortcuts="/"
        placeholder={tableWords.searchHint}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="min-h-11 w-full rounded-lg border border-edge bg-surface pr-3 pl-9 text-base md:min-h-9 md:text-sm"
      />
    </span>
  );
}

type ChipProps = {
  name: string;
  value: string | undefined;
  choose: (value: string | undefined) => void;
  any: string;
  children: React.ReactNode;
};

/** A filter. Once it is set, it has a colour and a button that clears it. */
function Chip({ name, value, choose, any, children }: ChipProps) {
  const isSet = value !== undefined;
  return (
    <span
      className={`inline-flex shrink-0 items-center rounded-full border ${isSet ? "border-accent bg-accent-soft text-accent" : "border-edge bg-surface"}`}
    >
      <select
        aria-label={name}
        value={value ?? ""}
        onChange={({ target }) => choose(target.value || undefined)}
        className={`min-h-11 min-w-0 max-w-44 truncate rounded-full bg-transparent [field-sizing:content] font-semibold text-sm md:min-h-8 ${isSet ? "pr-1 pl-3" : "px-3"}`}
      >
        <option value="">{isSet ? any : name}</option>
        {children}
      </select>
      {isSet && (
        <button
          type="button"
          onClick={() => choose(undefined)}
          className="grid size-11 place-items-center rounded-full hover:bg-surface md:size-8"
        >
          <X aria-hidden className="size-3.5" />
          <span className="sr-only">{tableWords.clearOne(name)}</span>
        </button>
      )}
    </span>
  );
}

/** The filters that are on, in words; empty if none is. */
export function filterWords(
  { text, platform, accountId, span }: PostsPlace,
  accounts: ApiAccount[],
  networks: NetworkFacts[],
) {
  const network = networks.find((one) => one.platform === platform)?.name ?? platform;
  return [
    text && tableWords.withText(text),
    accountId && tableWords.withAccount(displayName({ accounts, networks }, Number(accountId))),
    network && tableWords.withNetwork(network),
    span && tableWords.withTime(tableWords.spans[span satisfies Span]),
  ].filter((words): words is string => Boolean(words));
}

export const NO_FILTERS = { text: undefined, platform: undefined, accountId: undefined, span: undefined };

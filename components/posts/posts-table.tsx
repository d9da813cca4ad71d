"use client";
import { useRouter } from "next/navigation";
import { memo, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useAccounts, useRetrySchedule, useScheduleCounts, useScheduleList } from "../api/queries";
import type { ApiAccount, ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { areSingleKeysOn, postKeys as keys } from "../palette/keys";
import { addDays, type Day, startOf } from "../time/days";
import { language, localFormat } from "../time/format";
import { useNow } from "../time/use-now";
import { Button, buttonClass } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Ellipsis } from "../ui/icons";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { loadedLater, say } from "../ui/toast";
import { BulkBar, BulkOutcome, type RestOfList } from "./bulk-bar";
import { canChange, textsOf } from "./facts";
import { countWords, filterWords, NO_FILTERS, PostFilters, PostTabs, tabCountOf } from "./filters";
import { listQueriesOf, type PostsPlace, type PostsTab, postFiltersOf, todayOf, usePostsPlace } from "./place";
import { PostRow } from "./post-row";
import { RowMenu } from "./row-menu";
import { StatusAnnouncer } from "./status-announcer";
import { tableWords } from "./table-words";
import { Selection, useBulk, useIsSelected, useSelected } from "./use-bulk";
import { useMoves } from "./use-moves";
import { isWriting } from "./use-undo";
import { postWords } from "./words";

const MoveWindow = loadedLater(() => import("./move-window").then(({ MoveWindow }) => MoveWindow));

const CLOCK_MS = 30_000;
const PAGE = 50;
const NO_ACCOUNTS: ApiAccount[] = [];

/** All posts as a table by day, with tabs, search and filters that are kept in the address. */
export function PostsTable({ networks }: { networks: NetworkFacts[] }) {
  const [place, go] = usePostsPlace();
  // Deferred, so that rendering thousands of rows again does not delay a key or a press.
  const nowMs = useDeferredValue(useNow(CLOCK_MS));
  const today = todayOf(nowMs);
  const parts = useMemo(() => listQueriesOf(place, today), [place, today]);
  const filters = useMemo(() => postFiltersOf(place, today), [place, today]);
  const list = useScheduleList(parts);
  const accounts = useAccounts();
  const isWaiting = accounts.data?.some(({ state }) => state === "RECONNECT_REQUIRED") ?? false;
  const counts = useScheduleCounts(filters);
  const waiting = useScheduleCounts({ ...filters, needsReconnecting: "true" }, isWaiting);
  const proposed = useScheduleCounts({ ...filters, status: "DRAFT", proposed: "true" });
  const items = useMemo(() => unique(list.data?.pages.flatMap((page) => page.items) ?? []), [list.data]);
  const [selection] = useState(() => new Selection());
  const bulk = useBulk();
  const searchField = useRef<HTMLInputElement>(null);
  const countIn = (tab: PostsTab) =>
    tabCountOf(tab, tab === "proposed" ? proposed.data : counts.data, isWaiting ? waiting.data : undefined);
  const count = countIn(place.tab);
  const rest = useRest(list, count, selection);
  useRowKeys(items, selection, searchField);
  const failed = list.error ?? accounts.error;
  function closeReport() {
    bulk.forget();
    const [first] = rowsOnPage();
    if (first) focusRow(first);
    else searchField.current?.focus();
  }
  return (
    <>
      <PostTabs place={place} go={go} counts={countIn} />
      <PostFilters
        place={place}
        go={go}
        accounts={accounts.data ?? NO_ACCOUNTS}
        networks={networks}
        searchField={searchField}
      />
      <p role="status" className="sr-only">
        {list.data && !list.isPlaceholderData && count && tableWords.found(countWords(count))}
      </p>
      {bulk.report && <BulkOutcome report={bulk.report} close={closeReport} />}
      {!list.data || !accounts.data ? (
        failed ? (
          <LoadFailed
            text={postWords.couldNotLoad(failed.message)}
            retry={() => Promise.all([list.refetch(), accounts.refetch()])}
          />
        ) : (
          <SkeletonRows label={postWords.loading} rows={10} height="h-14" />
        )
      ) : items.length === 0 && !list.isPlaceholderData ? (
        <Nothing place={place} go={go} accounts={accounts.data} networks={networks} />
      ) : (
        <>
          <StatusAnnouncer schedules={items} />
          <Rows
            items={items}
            accounts={accounts.data}
            networks={networks}
            nowMs={nowMs}
            today={today}
            selection={selection}
            bulk={bulk}
            rest={rest}
          />
          <div className="flex flex-wrap items-center gap-3 pt-3 text-muted text-sm md:px-2">
            {count && tableWords.shown(items.length.toLocaleString(language), countWords(count))}
            {list.hasNextPage && (
              <Button
                look="quiet"
                aria-disabled={list.isFetchingNextPage}
                onClick={() => list.fetchNextPage()}
                className="ml-auto"
              >
                {list.isFetchingNextPage ? tableWords.loadingMore : tableWords.showMore(moreOf(items.length, count))}
              </Button>
            )}
          </div>
        </>
      )}
    </>
  );
}

/** How many posts the next press shows. */
function moreOf(shown: number, count: ReturnType<typeof tabCountOf>): number {
  return count && !count.isMore ? Math.max(1, Math.min(PAGE, count.count - shown)) : PAGE;
}

/** A post that moves while its pages are read can be on two of them. */
function unique(items: ApiSchedule[]): ApiSchedule[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Loads the pages that are not shown yet and selects the whole list. Absent where the API stops to count. */
function useRest(
  list: ReturnType<typeof useScheduleList>,
  count: ReturnType<typeof tabCountOf>,
  selection: Selection,
): RestOfList | undefined {
  const [isLoading, setLoading] = useState(false);
  const isStopped = useRef(false);
  if (!list.hasNextPage || !count || count.isMore) return undefined;
  async function select() {
    isStopped.current = false;
    setLoading(true);
    let read = await list.fetchNextPage();
    while (read.hasNextPage && !read.isError && !isStopped.current) read = await list.fetchNextPage();
    setLoading(false);
    if (read.isError) say((toast) => toast.error(tableWords.restNotLoaded(read.error.message)));
    else if (!isStopped.current) selection.set(idsIn(read.data));
  }
  const stop = () => {
    isStopped.current = true;
  };
  const loaded = isLoading ? idsIn(list.data).length.toLocaleString(language) : undefined;
  return { count: countWords(count), loaded, select: () => void select(), stop };
}

type Loaded = ReturnType<typeof useScheduleList>["data"];

const idsIn = (data: Loaded) => unique(data?.pages.flatMap(({ items }) => items) ?? []).map(({ id }) => id);

type RowsProps = {
  items: ApiSchedule[];
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  nowMs: number;
  today: Day;
  selection: Selection;
  bulk: ReturnType<typeof useBulk>;
  rest: RestOfList | undefined;
};

type Opened = { schedule: ApiSchedule; anchor: HTMLElement };

/** The rows by day, the bar for those that are selected, and the menu of one of them. */
function Rows({ items, today, selection, bulk, rest, ...shown }: RowsProps) {
  const [menu, setMenu] = useState<Opened>();
  const [moving, setMoving] = useState<Opened>();
  const groups = useMemo(() => groupsOf(items), [items]);
  const order = useMemo(() => items.map(({ id }) => id), [items]);
  const { move } = useMoves();
  const retry = useRetrySchedule();
  const onError = ({ message }: Error) => say((toast) => toast.error(postWords.notTriedAgain(message)));
  return (
    <>
      <div className="hidden items-center gap-x-3 border-line border-b px-2 pb-1.5 text-muted text-xs md:grid md:grid-cols-[auto_3.5rem_2.75rem_minmax(0,1fr)_6.75rem_9.25rem_2rem] roomy:grid-cols-[auto_3.5rem_2.75rem_minmax(0,1fr)_6.75rem_12rem_11rem_2rem]">
        <span className="w-5">
          <SelectAll order={order} selection={selection} />
        </span>
        <span aria-hidden>{tableWords.columns.time}</span>
        <span />
        <span aria-hidden>{tableWords.columns.post}</span>
        <span aria-hidden>{tableWords.columns.accounts}</span>
        <span aria-hidden>{tableWords.columns.state}</span>
      </div>
      {groups.map(({ key, day, schedules }) => (
        <DayGroup
          key={key}
          title={titleOf(day, today)}
          schedules={schedules}
          selection={selection}
          open={setMenu}
          {...shown}
        />
      ))}
      <SelectedBar items={items} order={order} selection={selection} bulk={bulk} rest={rest} />
      {menu && (
        <RowMenu
          {...menu}
          close={() => setMenu(undefined)}
          move={() => setMoving(menu)}
          retry={() => retry.mutate({ id: menu.schedule.id }, { onError })}
          remove={() => void bulk.remove([menu.schedule])}
        />
      )}
      {moving && (
        <MoveWindow
          schedule={moving.schedule}
          text={nameOf(moving.schedule)}
          move={move}
          close={() => setMoving(undefined)}
          goBack={() => moving.anchor.focus()}
        />
      )}
    </>
  );
}

type Group = { key: string; day: Day | undefined; schedules: ApiSchedule[] };

/** Groups neighbours of the same day. */
function groupsOf(items: ApiSchedule[]): Group[] {
  const groups: Group[] = [];
  for (const schedule of items) {
    const day = schedule.scheduledTime && todayOf(Date.parse(schedule.scheduledTime));
    const last = groups.at(-1);
    if (last && last.day === day) last.schedules.push(schedule);
    else groups.push({ key: `${day} ${schedule.id}`, day, schedules: [schedule] });
  }
  return groups;
}

const thisYear = localFormat({ weekday: "short", day: "numeric", month: "long" });
const otherYear = localFormat({ weekday: "short", day: "numeric", month: "long", year: "numeric" });

/** `Tomorrow, Tue 24 November` */
function titleOf(day: Day | undefined, today: Day): string {
  if (!day) return tableWords.noTimeYet;
  const date = (day.slice(0, 4) === today.slice(0, 4) ? thisYear : otherYear).format(startOf(day));
  if (day === today) return tableWords.day(tableWords.today, date);
  if (day === addDays(today, 1)) return tableWords.day(tableWords.tomorrow, date);
  if (day === addDays(today, -1)) return tableWords.day(tableWords.yesterday, date);
  return date;
}

type GroupProps = {
  title: string;
  schedules: ApiSchedule[];
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  nowMs: number;
  selection: Selection;
  open: (what: Opened) => void;
};

const DayGroup = memo(function DayGroup({ title, schedules, selection, open, ...shown }: GroupProps) {
  return (
    <section aria-label={title}>
      <h2 className="pt-2.5 pb-1 font-bold font-display text-sm md:px-2">{title}</h2>
      <ul className="border-line border-t">
        {schedules.map((schedule) => (
          <Row key={schedule.id} schedule={schedule} selection={selection} open={open} {...shown} />
        ))}
      </ul>
    </section>
  );
}, isSameGroup);

/** Loading more posts makes new groups of the same posts. */
function isSameGroup(before: GroupProps, after: GroupProps): boolean {
  const { schedules: some, ...rest } = before;
  const { schedules: others, ...now } = after;
  const isSame = (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === now[name]); // its own keys
  return isSame && some.length === others.length && some.every((one, index) => one === others[index]);
}

type RowProps = Omit<GroupProps, "title" | "schedules"> & { schedule: ApiSchedule };

function Row({ schedule, selection, open, ...shown }: RowProps) {
  const lead = useMemo(() => <SelectBox schedule={schedule} selection={selection} />, [schedule, selection]);
  const tail = useMemo(() => <MenuButton schedule={schedule} open={open} />, [schedule, open]);
  return <PostRow schedule={schedule} lead={lead} tail={tail} {...shown} />;
}

const nameOf = (schedule: ApiSchedule) => (textsOf(schedule)[0] ?? postWords.card.noText).slice(0, 60);

const box = "block size-4.5 accent-accent";

function SelectBox({ schedule, selection }: { schedule: ApiSchedule; selection: Selection }) {
  const isSelected = useIsSelected(selection, schedule.id);
  return (
    // The label makes the box easier to hit.
    <label className="-m-3 grid size-11 place-items-center">
      <input
        type="checkbox"
        data-select
        aria-label={tableWords.select(nameOf(schedule))}
        checked={isSelected}
        onChange={({ nativeEvent }) => {
          const { shiftKey } = nativeEvent as MouseEvent; // a change of a box is a click
          selection.toggle(schedule.id, shiftKey ? shownOrder() : undefined);
        }}
        className={box}
      />
    </label>
  );
}

/** The IDs of the rows as they are on the page. */
function shownOrder(): number[] {
  return rowsOnPage().map(idOf);
}

function SelectAll({ order, selection, look = box }: { order: number[]; selection: Selection; look?: string }) {
  const selected = useSelected(selection);
  const count = order.filter((id) => selected.has(id)).length; // a filter hides posts that stay selected
  const isAll = count > 0 && count === order.length;
  return (
    <input
      type="checkbox"
      aria-label={tableWords.selectAll(order.length)}
      checked={isAll}
      ref={(input) => {
        if (input) input.indeterminate = !isAll && count > 0;
      }}
      onChange={() => selection.set(isAll ? [] : order)}
      className={look}
    />
  );
}

function MenuButton({ schedule, open }: { schedule: ApiSchedule; open: (what: Opened) => void }) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      onClick={({ currentTarget }) => open({ schedule, anchor: currentTarget })}
      className="grid size-11 place-items-center rounded-lg text-muted hover:bg-line hover:text-ink md:size-8"
    >
      <Ellipsis aria-hidden className="size-4" />
      <span className="sr-only">{tableWords.more(nameOf(schedule))}</span>
    </button>
  );
}

type BarProps = Pick<RowsProps, "items" | "selection" | "bulk" | "rest"> & { order: number[] };

function SelectedBar({ items, order, selection, bulk, rest }: BarProps) {
  const selected = useSelected(selection);
  const chosen = useMemo(() => items.filter(({ id }) => selected.has(id)), [items, selected]);
  const isOffered = rest?.loaded !== undefined || chosen.length === items.length;
  return (
    <BulkBar chosen={chosen} bulk={bulk} clear={() => selection.set([])} rest={isOffered ? rest : undefined}>
      {/* On phones, where the table has no head. */}
      <span className="-ml-4 shrink-0 md:hidden">
        <SelectAll order={order} selection={selection} look="m-3.5 block size-4.5 accent-frame-ink" />
      </span>
    </BulkBar>
  );
}

type NothingProps = {
  place: PostsPlace;
  go: (to: Partial<PostsPlace>) => void;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
};

/** Names the filters that are on, or says what will appear here. */
function Nothing({ place, go, accounts, networks }: NothingProps) {
  const filters = filterWords(place, accounts, networks);
  const newPost = (
    <Link href="/compose" className={buttonClass()}>
      {postWords.write}
    </Link>
  );
  if (filters.length > 0) {
    return (
      <EmptyState
        picture="search"
        title={tableWords.nothingMatches}
        text={tableWords.filteredBy(new Intl.ListFormat("en").format(filters))}
      >
        <Button look="quiet" onClick={() => go(NO_FILTERS)}>
          {tableWords.clear}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState picture={place.tab === "attention" ? "clear" : "posts"} {...tableWords.nothingIn[place.tab]}>
      {place.tab !== "attention" && newPost}
    </EmptyState>
  );
}

const rowsOnPage = () => [...document.querySelectorAll<HTMLElement>("[data-post]")];
const idOf = (row: HTMLElement) => Number(row.dataset.post);

/** J and K go from row to row, X selects, E edits, and / searches. They do nothing while the person types. */
function useRowKeys(items: ApiSchedule[], selection: Selection, searchField: React.RefObject<HTMLInputElement | null>) {
  const router = useRouter();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, shiftKey } = event;
    const isBox = target instanceof HTMLInputElement && target.type === "checkbox";
    if (ctrlKey || metaKey || altKey || (isWriting(target) && !isBox) || !areSingleKeysOn()) return;
    const key = event.key.toLowerCase();
    if (key === keys.search) {
      event.preventDefault(); // otherwise the field gets the key
      searchField.current?.focus();
      searchField.current?.select();
      return;
    }
    const rows = rowsOnPage();
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const row = rows[at];
    if (key === keys.next) focusRow(rows[at + 1]);
    else if (key === keys.previous) focusRow(rows[Math.max(0, at - 1)]);
    else if (key === keys.select && row) selection.toggle(idOf(row), shiftKey ? rows.map(idOf) : undefined);
    else if (key === keys.edit && row) {
      const schedule = items.find(({ id }) => id === idOf(row));
      if (schedule && canChange(schedule)) router.push(`/compose?edit=${schedule.id}`);
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector<HTMLElement>("[data-open]")?.focus();
}

"use client";
import { type ReactNode, useSyncExternalStore } from "react";
import { MissedPosts } from "../accounts/incidents";
import { useAccounts, useAttention, useDrafts, useFirstSchedules } from "../api/queries";
import type { ApiAccount, ApiAttentionItem, ApiSchedule } from "../api/types";
import { hasDraft } from "../compose/draft/local-storage";
import type { NetworkFacts } from "../networks/types";
import { AHEAD, OVER, textsOf, WITH_PUBLISHED } from "../posts/facts";
import { Marks, PostRow, Thumbnail } from "../posts/post-row";
import { StatusAnnouncer } from "../posts/status-announcer";
import { postWords } from "../posts/words";
import { dayOf } from "../time/days";
import { useNow } from "../time/use-now";
import { buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { CheckCircle2, Circle } from "../ui/icons";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { FirstAttention } from "./attention";
import {
  aroundNow,
  Heading,
  type ListProps,
  MoreLink,
  NextDays,
  rowDay,
  SHOWN_TODAY,
  Today,
  TodayList,
  useDay,
} from "./today";
import { homeWords } from "./words";

const unchanging = () => () => {};

/** How many rows each list shows. */
const SHOWN = 5;

type Props = { networks: NetworkFacts[]; userId: string; name: string; hour: number | undefined };

export function Home({ networks, userId, name, hour }: Props) {
  const accounts = useAccounts();
  const upcoming = useFirstSchedules(AHEAD, "earliest", SHOWN + SHOWN_TODAY);
  const recent = useFirstSchedules(OVER, "latest", SHOWN + SHOWN_TODAY);
  const published = useFirstSchedules(WITH_PUBLISHED, "latest", 1);
  const drafts = useDrafts(3);
  const attention = useAttention();
  const nowMs = useNow();
  const today = useDay(dayOf(new Date(nowMs)));
  const isWriting = useSyncExternalStore(
    unchanging,
    () => hasDraft(userId),
    () => false,
  );
  const hero = <Today name={name} hour={hour} posts={today.data} nowMs={nowMs} />;
  const all = [accounts, upcoming, recent, published, drafts, attention, today];
  if (
    !(accounts.data && upcoming.data && recent.data && published.data && drafts.data && attention.data && today.data)
  ) {
    const failed = all.find(({ error }) => error)?.error;
    return (
      <div className="grid gap-7">
        {hero}
        {failed ? (
          <LoadFailed text={homeWords.couldNotLoad(failed.message)} retry={() => all.map((query) => query.refetch())} />
        ) : (
          <SkeletonRows label={homeWords.loading} rows={3} height="h-32" />
        )}
      </div>
    );
  }
  const planned = [...upcoming.data, ...recent.data];
  const todayIds = today.data.map(({ id }) => id);
  const later = upcoming.data.filter(({ id }) => !todayIds.includes(id)).slice(0, SHOWN);
  const shownToday = aroundNow(today.data, nowMs);
  const before = recent.data.filter(({ id }) => shownToday.every((post) => post.id !== id)).slice(0, SHOWN);
  const steps = stepsFor({
    isConnected: accounts.data.length > 0,
    isWriting: isWriting || drafts.data.length > 0,
    isScheduled: planned.length > 0,
    isPublished: published.data.length > 0,
    hasSimulated: networks.some((it) => it.isSimulated),
    draftId: drafts.data[0]?.id,
  });
  const hasPosts = planned.length + drafts.data.length > 0;
  const isNew = steps.some(({ isDone }) => !isDone);
  const shown = { accounts: accounts.data, networks, nowMs };
  const items = attention.data.items.filter((item) => !isOnlyMissed(item, accounts.data));
  return (
    <div className="grid gap-7">
      {hero}
      <StatusAnnouncer schedules={planned} />
      <div className="grid grid-cols-1 items-start gap-7 wide:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-1 gap-7">
          <MissedPosts accounts={accounts.data} networks={networks} />
          {items.length > 0 && (
            <FirstAttention items={items} isMore={attention.data.isMore} accounts={accounts.data} networks={networks} />
          )}
          {isNew && <Checklist steps={steps} />}
          {!isNew && attention.data.items.length === 0 && (
            <p className="flex items-center gap-2.5 rounded-xl border border-line bg-surface px-4 py-3 text-sm">
              <CheckCircle2 aria-hidden className="size-5 shrink-0 text-accent" />
              {homeWords.attention.allClear}
            </p>
          )}
          {today.data.length > 0 && <TodayList posts={shownToday} count={today.data.length} {...shown} />}
          {hasPosts && (later.length > 0 || upcoming.data.length === 0) && (
            <Rows id="upcoming" title={homeWords.upcoming} schedules={later} {...shown}>
              <p className="text-muted">{homeWords.nothingScheduled}</p>
              <Link href="/compose" className={buttonClass("quiet", "justify-self-start")}>
                {homeWords.writeNext}
              </Link>
            </Rows>
          )}
        </div>
        <div className="grid grid-cols-1 items-start gap-7 md:max-wide:grid-cols-2">
          <NextDays today={dayOf(new Date(nowMs))} />
          {drafts.data.length > 0 && <Drafts drafts={drafts.data} {...shown} />}
        </div>
      </div>
      {hasPosts && (before.length > 0 || recent.data.length === 0) && (
        <Rows
          id="recent"
          title={homeWords.recent}
          schedules={before}
          more={<MoreLink href="/posts">{homeWords.allPosts}</MoreLink>}
          {...shown}
        >
          <p className="text-muted">{homeWords.nothingYet}</p>
        </Rows>
      )}
    </div>
  );
}

/** Whether an item is a post that the list of missed posts shows already. */
function isOnlyMissed(item: ApiAttentionItem, accounts: ApiAccount[]): boolean {
  if (item.kind !== "POST_FAILED") return false;
  const isConnected = (id: number) => accounts.some((account) => account.id === id && account.state === "ACTIVE");
  return item.post.publications
    .filter(({ status, leftTime }) => status !== "PUBLISHED" && !leftTime)
    .every(({ missed, socialMediaAccountId }) => missed && isConnected(socialMediaAccountId));
}

type RowsProps = ListProps & {
  id: string;
  title: string;
  schedules: ApiSchedule[];
  more?: ReactNode;
  children?: ReactNode;
};

/** A few posts under a heading, or `children` if there are none. */
function Rows({ id, title, schedules, more, children, ...shown }: RowsProps) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3">
      <Heading id={id} title={title}>
        {more}
      </Heading>
      {schedules.length === 0 && children}
      {schedules.length > 0 && (
        <ul className="border-line border-t">
          {schedules.map((schedule) => (
            <PostRow
              key={schedule.id}
              isBeside
              schedule={schedule}
              lead={<DayOf schedule={schedule} nowMs={shown.nowMs} />}
              {...shown}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The newest drafts, each as its picture, its text and its networks. */
function Drafts({ drafts, accounts, networks }: ListProps & { drafts: ApiSchedule[] }) {
  return (
    <section aria-labelledby="drafts" className="grid grid-cols-1 gap-3">
      <Heading id="drafts" title={homeWords.drafts}>
        <MoreLink href="/posts?tab=drafts">{homeWords.allDrafts}</MoreLink>
      </Heading>
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
        {drafts.map((schedule) => {
          const [text = postWords.card.noText] = textsOf(schedule);
          return (
            <li key={schedule.id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-sunk">
              <Thumbnail schedule={schedule} />
              <span className="grid min-w-0 flex-1 gap-1">
                <Link
                  href={`/posts/${schedule.id}`}
                  className="truncate font-medium text-sm before:absolute before:inset-0 hover:underline"
                >
                  {text}
                </Link>
                <Marks schedule={schedule} accounts={accounts} networks={networks} />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The day of a post, in a list of posts of several days. */
function DayOf({ schedule: { scheduledTime }, nowMs }: { schedule: ApiSchedule; nowMs: number }) {
  const day = scheduledTime && rowDay(dayOf(new Date(scheduledTime)), dayOf(new Date(nowMs)));
  return <span className="block w-11 text-muted text-xs">{day}</span>;
}

type Circumstances = {
  isConnected: boolean;
  isWriting: boolean;
  isScheduled: boolean;
  isPublished: boolean;
  hasSimulated: boolean;
  /** The newest draft. */
  draftId: number | undefined;
};

function stepsFor(circumstances: Circumstances): Step[] {
  const { isConnected, isWriting, isScheduled, isPublished, hasSimulated, draftId } = circumstances;
  return [
    {
      title: homeWords.connect,
      text: hasSimulated ? homeWords.connectSimulated : homeWords.connectReal,
      href: "/accounts",
      action: homeWords.connect,
      isDone: isConnected || isScheduled,
    },
    {
      title: homeWords.write,
      text: homeWords.writeHow,
      href: "/compose",
      action: homeWords.write,
      isDone: isWriting || isScheduled,
    },
    {
      title: homeWords.schedule,
      text: homeWords.scheduleHow,
      href: draftId === undefined ? "/compose" : `/compose?edit=${draftId}`,
      action: homeWords.goOn,
      isDone: isScheduled,
    },
    {
      title: homeWords.published,
      text: homeWords.publishedHow,
      href: "/posts",
      action: homeWords.watch,
      isDone: isPublished,
    },
  ];
}

type Step = { title: string; text: string; href: string; action: string; isDone: boolean };

/** The first steps of a new user. Completed steps are derived from existing data, not stored. */
function Checklist({ steps }: { steps: Step[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card className="p-6">
      <h2 className="font-semibold text-lg">{homeWords.checklist}</h2>
      <ol className="mt-4 grid gap-1">
        {steps.map((step, index) => (
          <li
            key={step.title}
            aria-current={index === next ? "step" : undefined}
            className="flex gap-3 rounded-xl p-3 aria-[current=step]:bg-accent-soft"
          >
            {step.isDone ? (
              <CheckCircle2 aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            )}
            <div>
              <p className={index === next ? "font-semibold" : step.isDone ? "text-muted" : ""}>
                {step.title}
                {step.isDone && <span className="sr-only">{homeWords.done}</span>}
              </p>
              {index === next && (
                <>
                  <p className="mt-1">{step.text}</p>
                  <Link href={step.href} className={buttonClass("primary", "mt-3")}>
                    {step.action}
                  </Link>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

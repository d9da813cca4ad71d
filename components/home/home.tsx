"use client";
import { CheckCircle2, Circle } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Incidents, MissedPosts } from "../accounts/incidents";
import { useAccounts, useDrafts, useFirstSchedules } from "../api/queries";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { hasDraft } from "../compose/draft/local-storage";
import type { NetworkFacts } from "../networks/types";
import { AHEAD, OVER, WITH_PUBLISHED } from "../posts/facts";
import { ScheduleCard } from "../posts/schedule-card";
import { StatusAnnouncer } from "../posts/status-announcer";
import { useNow } from "../time/use-now";
import { buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { homeWords } from "./words";

const unchanging = () => () => {};

const SHOWN = 5;

export function Home({ networks, userId }: { networks: NetworkFacts[]; userId: string }) {
  const accounts = useAccounts();
  const upcoming = useFirstSchedules(AHEAD, "earliest", SHOWN);
  const recent = useFirstSchedules(OVER, "latest", SHOWN);
  const published = useFirstSchedules(WITH_PUBLISHED, "latest", 1);
  const drafts = useDrafts(3);
  const nowMs = useNow();
  const isWriting = useSyncExternalStore(
    unchanging,
    () => hasDraft(userId),
    () => false,
  );
  const all = [accounts, upcoming, recent, published, drafts];
  if (!(accounts.data && upcoming.data && recent.data && published.data && drafts.data)) {
    const failed = all.find(({ error }) => error)?.error;
    if (!failed) return <SkeletonRows label={homeWords.loading} rows={2} height="h-44" />;
    return (
      <LoadFailed text={homeWords.couldNotLoad(failed.message)} retry={() => all.map((query) => query.refetch())} />
    );
  }
  const planned = [...upcoming.data, ...recent.data];
  const steps = stepsFor({
    isConnected: accounts.data.length > 0,
    isWriting: isWriting || drafts.data.length > 0,
    isScheduled: planned.length > 0,
    isPublished: published.data.length > 0,
    hasSimulated: networks.some((it) => it.isSimulated),
    draftId: drafts.data[0]?.id,
  });
  const shown = { accounts: accounts.data, networks, nowMs };
  return (
    <div className="grid gap-10">
      <StatusAnnouncer schedules={planned} />
      <Incidents accounts={accounts.data} networks={networks} />
      <MissedPosts accounts={accounts.data} networks={networks} />
      {steps.some(({ isDone }) => !isDone) && <Checklist steps={steps} />}
      {planned.length + drafts.data.length > 0 && (
        <>
          <Section id="upcoming" title={homeWords.upcoming} schedules={upcoming.data} {...shown}>
            <p className="text-muted">{homeWords.nothingScheduled}</p>
            <Link href="/compose" className={buttonClass("quiet", "justify-self-start")}>
              {homeWords.writeNext}
            </Link>
          </Section>
          {drafts.data.length > 0 && (
            <Section id="drafts" title={homeWords.drafts} schedules={drafts.data} {...shown} />
          )}
          <Section id="recent" title={homeWords.recent} schedules={recent.data} {...shown}>
            <p className="text-muted">{homeWords.nothingYet}</p>
          </Section>
        </>
      )}
    </div>
  );
}

type SectionProps = {
  id: string;
  title: string;
  schedules: ApiSchedule[];
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  nowMs: number;
  children?: React.ReactNode;
};

/** A few schedules under a heading, or `children` if there are none. */
function Section({ id, title, schedules, children, ...shown }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      {schedules.length === 0 && children}
      {schedules.map((schedule) => (
        <ScheduleCard key={schedule.id} schedule={schedule} {...shown} />
      ))}
    </section>
  );
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

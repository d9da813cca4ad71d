"use client";
import { CheckCircle2, Circle } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Incidents } from "../accounts/incidents";
import { useAccounts, useSchedules } from "../api/queries";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { hasDraft } from "../compose/draft/local-storage";
import type { NetworkFacts } from "../networks/types";
import { isAhead, isPublished } from "../posts/facts";
import { ScheduleCard } from "../posts/schedule-card";
import { StatusAnnouncer } from "../posts/status-announcer";
import { useNow } from "../time/use-now";
import { buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { homeWords } from "./words";

const unchanging = () => () => {};

export function Home({ networks, userId }: { networks: NetworkFacts[]; userId: string }) {
  const accounts = useAccounts();
  const schedules = useSchedules(50);
  const nowMs = useNow();
  const isWriting = useSyncExternalStore(
    unchanging,
    () => hasDraft(userId),
    () => false,
  );
  const failed = accounts.error ?? schedules.error;
  const items = schedules.data?.pages.flatMap((page) => page.items);
  if (failed && !(accounts.data && items)) {
    return (
      <LoadFailed
        text={homeWords.couldNotLoad(failed.message)}
        retry={() => [accounts.refetch(), schedules.refetch()]}
      />
    );
  }
  if (!accounts.data || !items) return <SkeletonRows label={homeWords.loading} rows={2} height="h-44" />;

  const drafts = items.filter(({ overallStatus }) => overallStatus === "DRAFT");
  const planned = items.filter((schedule) => !drafts.includes(schedule));
  const steps = stepsFor(accounts.data, planned, {
    isWriting: isWriting || drafts.length > 0,
    hasSimulated: networks.some((it) => it.isSimulated),
  });
  const ahead = items.filter(isAhead).sort((a, b) => (a.scheduledTime ?? "").localeCompare(b.scheduledTime ?? ""));
  const recent = planned.filter((schedule) => !isAhead(schedule));
  const shown = { accounts: accounts.data, networks, nowMs };
  return (
    <div className="grid gap-10">
      <StatusAnnouncer schedules={items} />
      <Incidents accounts={accounts.data} networks={networks} />
      {steps.some(({ isDone }) => !isDone) && <Checklist steps={steps} />}
      {items.length > 0 && (
        <>
          <Section id="upcoming" title={homeWords.upcoming} schedules={ahead.slice(0, 5)} {...shown}>
            <p className="text-muted">{homeWords.nothingScheduled}</p>
            <Link href="/compose" className={buttonClass("quiet", "justify-self-start")}>
              {homeWords.writeNext}
            </Link>
          </Section>
          {drafts.length > 0 && (
            <Section id="drafts" title={homeWords.drafts} schedules={drafts.slice(0, 3)} {...shown} />
          )}
          <Section id="recent" title={homeWords.recent} schedules={recent.slice(0, 5)} {...shown}>
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

type Circumstances = { isWriting: boolean; hasSimulated: boolean };

function stepsFor(
  accounts: ApiAccount[],
  schedules: ApiSchedule[],
  { isWriting, hasSimulated }: Circumstances,
): Step[] {
  const hasSchedule = schedules.length > 0;
  return [
    {
      title: homeWords.connect,
      text: hasSimulated ? homeWords.connectSimulated : homeWords.connectReal,
      href: "/accounts",
      action: homeWords.connect,
      isDone: accounts.length > 0 || hasSchedule,
    },
    {
      title: homeWords.write,
      text: homeWords.writeHow,
      href: "/compose",
      action: homeWords.write,
      isDone: isWriting || hasSchedule,
    },
    {
      title: homeWords.schedule,
      text: homeWords.scheduleHow,
      href: "/compose",
      action: homeWords.goOn,
      isDone: hasSchedule,
    },
    {
      title: homeWords.published,
      text: homeWords.publishedHow,
      href: "/posts",
      action: homeWords.watch,
      isDone: schedules.some(({ publications }) => publications.some(isPublished)),
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

"use client";
import { useAccounts, useSchedules } from "../api/queries";
import type { NetworkFacts } from "../networks/types";
import { useNow } from "../time/use-now";
import { Button, buttonClass } from "../ui/button";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { ScheduleCard } from "./schedule-card";
import { StatusAnnouncer } from "./status-announcer";
import { postWords } from "./words";

export function Schedules({ networks }: { networks: NetworkFacts[] }) {
  const schedules = useSchedules();
  const accounts = useAccounts();
  const nowMs = useNow();
  if (schedules.isPending || accounts.isPending) return <SkeletonRows label={postWords.loading} height="h-44" />;
  if (!schedules.data)
    return <LoadFailed text={postWords.couldNotLoad(schedules.error.message)} retry={() => schedules.refetch()} />;
  const items = schedules.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <NoPosts />;
  return (
    <div className="grid gap-4">
      <StatusAnnouncer schedules={items} />
      {items.map((schedule) => (
        <ScheduleCard
          key={schedule.id}
          schedule={schedule}
          accounts={accounts.data ?? []}
          networks={networks}
          nowMs={nowMs}
        />
      ))}
      {schedules.hasNextPage && (
        <Button
          look="quiet"
          aria-disabled={schedules.isFetchingNextPage}
          onClick={() => schedules.fetchNextPage()}
          className="justify-self-center"
        >
          {schedules.isFetchingNextPage ? postWords.loadingOlder : postWords.showOlder}
        </Button>
      )}
    </div>
  );
}

function NoPosts() {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-muted">{postWords.nothingYet}</p>
      <Link href="/compose" className={buttonClass()}>
        {postWords.write}
      </Link>
    </div>
  );
}

"use client";
import { ArrowLeft } from "lucide-react";
import { displayName } from "../accounts/names";
import { useAccounts, useSchedule } from "../api/queries";
import type { NetworkFacts } from "../networks/types";
import { FeedbackSection } from "../reviews/feedback-section";
import { useNow } from "../time/use-now";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { stateOf } from "./facts";
import { PublicationPreview } from "./publication-preview";
import { PublicationRow } from "./publication-row";
import { PublicationReceipt } from "./receipt";
import { ScheduleActions } from "./schedule-actions";
import { accountAndNetwork, When, waitOf } from "./schedule-card";
import { ChangesMark, Status } from "./status";
import { StatusAnnouncer } from "./status-announcer";
import { postWords } from "./words";

export function ScheduleDetail({ id, networks }: { id: string; networks: NetworkFacts[] }) {
  const schedule = useSchedule(id);
  const accounts = useAccounts();
  const nowMs = useNow();
  return (
    <div className="grid max-w-2xl gap-6">
      <Link href="/posts" className="inline-flex min-h-8 items-center gap-2 justify-self-start text-accent underline">
        <ArrowLeft aria-hidden className="size-4" /> {postWords.allPosts}
      </Link>
      <h1 className="sr-only">{postWords.post(id)}</h1>
      {(schedule.isPending || accounts.isPending) && (
        <SkeletonRows label={postWords.loadingPost} rows={2} height="h-44" />
      )}
      {schedule.isError && !schedule.data && (
        <LoadFailed text={postWords.couldNotLoadPost(schedule.error.message)} retry={() => schedule.refetch()} />
      )}
      {schedule.data && !accounts.isPending && (
        <>
          <StatusAnnouncer schedules={[schedule.data]} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <When schedule={schedule.data} wait={waitOf(schedule.data, nowMs)} />
            <span className="flex flex-wrap gap-2">
              <ChangesMark schedule={schedule.data} />
              <Status of={stateOf(schedule.data, nowMs)} />
            </span>
          </div>
          {schedule.data.publications.map((publication) => (
            <Card key={publication.id}>
              <ul>
                <PublicationRow
                  publication={publication}
                  {...accountAndNetwork(publication.socialMediaAccountId, accounts.data ?? [], networks)}
                />
              </ul>
              <PublicationPreview
                publication={publication}
                {...accountAndNetwork(publication.socialMediaAccountId, accounts.data ?? [], networks)}
              />
              <PublicationReceipt
                schedule={schedule.data}
                publicationId={publication.id}
                name={displayName({ accounts: accounts.data ?? [], networks }, publication.socialMediaAccountId)}
                nowMs={nowMs}
              />
            </Card>
          ))}
          <ScheduleActions schedule={schedule.data} />
          <FeedbackSection schedule={schedule.data} />
        </>
      )}
    </div>
  );
}

"use client";
import { useEffect, useRef } from "react";
import type { ApiSchedule } from "../api/types";
import { canChange, isAhead } from "../posts/facts";
import { Card } from "../ui/card";
import { LoadFailed } from "../ui/loading";
import { FeedbackItem } from "./feedback-item";
import { type ApiFeedback, useFeedback } from "./queries";
import { ShareForFeedback } from "./share-for-feedback";
import { reviewWords, shareWords } from "./words";

/** The feedback on a post, updated live, and the review links. */
export function FeedbackSection({ schedule }: { schedule: ApiSchedule }) {
  const { data = [], isError, error, refetch } = useFeedback(schedule.id);
  const isOpen = canChange(schedule);
  const share = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The post arrives after the page, so the browser could not go there by itself.
    if (location.hash === "#share") share.current?.focus();
  }, []);
  if (!isOpen && data.length === 0) return null;
  return (
    <section aria-labelledby="feedback">
      <Card className="grid gap-5">
        <h2 id="feedback" className="font-semibold">
          {reviewWords.feedback}
        </h2>
        {isError && data.length === 0 && (
          <LoadFailed text={reviewWords.couldNotLoad(error.message)} retry={() => refetch()} />
        )}
        <p aria-live="polite" className="text-sm empty:hidden">
          {standing(data, schedule)}
        </p>
        {data.length > 0 && (
          <ol className="grid gap-5">
            {data.map((item) => (
              <FeedbackItem key={item.id} scheduleId={schedule.id} item={item} />
            ))}
          </ol>
        )}
        {isOpen && (
          <div className="grid gap-4 border-line border-t pt-4">
            <h3 id="share" ref={share} tabIndex={-1} className="font-semibold text-sm">
              {shareWords.share}
            </h3>
            <ShareForFeedback scheduleId={schedule.id} />
          </div>
        )}
      </Card>
    </section>
  );
}

/** Summarises the feedback in one line. */
function standing(items: ApiFeedback[], schedule: ApiSchedule): string {
  const open = items.filter(({ verdict, closedTime }) => verdict === "CHANGES_REQUESTED" && !closedTime);
  if (open.length > 0)
    return isAhead(schedule)
      ? reviewWords.wantChangesAndGoesOut(namesOf(open))
      : reviewWords.wantChanges(namesOf(open));
  const approvals = items.filter(({ verdict }) => verdict === "APPROVED");
  const current = approvals.filter(({ isCurrent }) => isCurrent);
  if (current.length > 0) return reviewWords.approvedBy(namesOf(current));
  if (approvals.length > 0) return reviewWords.approvedEarlier(namesOf(approvals));
  return "";
}

function namesOf(items: ApiFeedback[]): string {
  return new Intl.ListFormat("en").format(new Set(items.map(({ name }) => name)));
}

import type { ReactNode } from "react";
import type { ReviewedSchedule, ReviewPublication } from "@/lib/reviews";
import { utc } from "../console/table";
import { Notice } from "../ui/notice";
import { ShownPreview } from "./shown-preview";
import { reviewWords } from "./words";

type Props = { shown: ReviewedSchedule; endsAt: Date; children?: ReactNode };

/** The preview of a schedule for people without an account. Of the owner it shows only account names. */
export function SharedPreview({ shown, endsAt, children }: Props) {
  const { status, scheduledTime, publications } = shown;
  const until = utc(endsAt.toISOString());
  const says = status === "DRAFT" ? reviewWords.page.draft : reviewWords.page.planned;
  return (
    <main className="mx-auto grid max-w-2xl gap-6 px-4 py-10">
      <header>
        <h1 className="text-2xl">{reviewWords.page.title}</h1>
        <p className="mt-1 text-muted">
          {scheduledTime ? says(utc(scheduledTime), until) : reviewWords.page.notPlanned(until)}
        </p>
      </header>
      {publications.map((publication) => (
        <SharedPublication key={publication.id} publication={publication} scheduledTime={scheduledTime} />
      ))}
      {publications.length === 0 && <p className="text-muted">{reviewWords.page.noAccount}</p>}
      {children}
    </main>
  );
}

type PublicationProps = { publication: ReviewPublication; scheduledTime: string | undefined };

function SharedPublication({ publication, scheduledTime }: PublicationProps) {
  const missing = publication.posts.reduce((sum, post) => sum + post.missing.length, 0);
  return (
    <ShownPreview publication={publication} scheduledTime={scheduledTime} level="h2">
      {missing > 0 && <p className="text-muted text-sm">{reviewWords.page.filesMissing(missing)}</p>}
      {publication.posts.map(
        ({ id, problem }) =>
          problem && (
            <Notice key={id} tone="warn">
              {reviewWords.page.wouldNotGoOut(problem)}
            </Notice>
          ),
      )}
    </ShownPreview>
  );
}

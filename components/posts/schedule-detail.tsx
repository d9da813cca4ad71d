"use client";

import { ArrowLeft } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { displayName } from "../accounts/names";
import { useAccounts, useChatsOf, useReceipt, useSchedule } from "../api/queries";
import type { ApiAccount, ApiPublication, ApiSchedule, Attempt } from "../api/types";
import { animationOf, useStoredFiles } from "../library/stored-files";
import { kindOf, stillOf } from "../networks/formats";
import type { NetworkFacts } from "../networks/types";
import { previewOf } from "../previews/data";
import type { PreviewMedia } from "../previews/types";
import { FeedbackSection } from "../reviews/feedback-section";
import { dateAndTime, fromNow } from "../time/format";
import { useNow } from "../time/use-now";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { mediaWords, stateOf } from "./facts";
import { PublicationRow } from "./publication-row";
import { ScheduleActions } from "./schedule-actions";
import { accountAndNetwork, When, waitOf } from "./schedule-card";
import { ChangesMark, Status } from "./status";
import { StatusAnnouncer } from "./status-announcer";
import { postWords } from "./words";

// Loaded on demand. The whole post waits for it, because a preview that arrives later would move the buttons below it.
const Mockup = lazy(() =>
  import("../previews/preview").then(({ PublicationMockup }) => ({ default: PublicationMockup })),
);

export function ScheduleDetail({ id, networks }: { id: string; networks: NetworkFacts[] }) {
  const schedule = useSchedule(id);
  const accounts = useAccounts();
  const nowMs = useNow();
  const loading = <SkeletonRows label={postWords.loadingPost} rows={2} height="h-44" />;
  return (
    <div className="grid max-w-2xl gap-6">
      <Link href="/posts" className="inline-flex min-h-8 items-center gap-2 justify-self-start text-accent underline">
        <ArrowLeft aria-hidden className="size-4" /> {postWords.allPosts}
      </Link>
      <h1 className="sr-only">{postWords.post(id)}</h1>
      {(schedule.isPending || accounts.isPending) && loading}
      {schedule.isError && !schedule.data && (
        <LoadFailed text={postWords.couldNotLoadPost(schedule.error.message)} retry={() => schedule.refetch()} />
      )}
      {schedule.data && !accounts.isPending && (
        <Suspense fallback={loading}>
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
        </Suspense>
      )}
    </div>
  );
}

type PreviewProps = { publication: ApiPublication; account: ApiAccount | undefined; network: NetworkFacts | undefined };

/** The preview of a publication; only its text if the account is gone. */
function PublicationPreview({ publication, account, network }: PreviewProps) {
  const keys = publication.posts.flatMap(({ attachmentPaths = [], thumbnail = [] }) =>
    attachmentPaths.concat(thumbnail),
  );
  const files = useStoredFiles(keys);
  const [chats] = useChatsOf(account && network?.destinations ? [account] : []);
  if (!account || !network) return <PublicationTexts publication={publication} />;
  const media = (path: string): PreviewMedia => {
    const file = files.get(path);
    const kind = kindOf(path, file);
    return {
      key: path,
      kind,
      src: file && kind !== "document" ? stillOf(file.url, kind) : undefined,
      name: file?.filename ?? path.split("/").at(-1) ?? path,
      altText: file?.altText,
      animation: file && animationOf(file),
    };
  };
  return (
    <div className="mt-2 max-w-md border-line border-t pt-4">
      <Mockup preview={previewOf(publication, { account, network, chats, media })} />
    </div>
  );
}

function PublicationTexts({ publication }: { publication: ApiPublication }) {
  return publication.posts.map(({ id, content, attachmentPaths = [] }) => (
    <div key={id} className="mt-2 border-line border-t pt-3">
      <p className="whitespace-pre-wrap">{content || <span className="text-muted">{postWords.card.noText}</span>}</p>
      {attachmentPaths.length > 0 && (
        <p className="mt-1 text-muted text-sm">{postWords.withFiles(mediaWords(attachmentPaths))}</p>
      )}
    </div>
  ));
}

/** `name`: the account, which distinguishes several receipts on a page. */
type ReceiptProps = { schedule: ApiSchedule; publicationId: number; name: string; nowMs: number };

/** The attempts at one publication, oldest first. */
function PublicationReceipt({ schedule, publicationId, name, nowMs }: ReceiptProps) {
  const title = useId();
  const { data, error } = useReceipt(schedule);
  const publication = data?.publications.find(({ id }) => id === publicationId);
  if (error && !data) return <p className="mt-3 text-muted text-sm">{postWords.receipt.couldNotRead(error.message)}</p>;
  if (!publication || publication.story.length === 0) return null;
  const errors = schedule.publications
    .filter(({ id }) => id === publicationId)
    .flatMap(({ posts }) => posts.flatMap(({ error }) => error ?? []));
  const next = publication.nextAttemptTime && new Date(publication.nextAttemptTime);
  return (
    <section aria-labelledby={title} className="mt-3 border-line border-t pt-3">
      <h2 id={title} className="font-medium text-sm">
        {postWords.receipt.title}
        <span className="sr-only">, {name}</span>
      </h2>
      <ol className="mt-2 grid gap-3">
        {publication.story.map((attempt) => (
          <Chapter
            key={`${attempt.postId}-${attempt.startTime}-${attempt.outcome}`}
            attempt={attempt}
            isSaid={errors.includes(attempt.message)}
          />
        ))}
      </ol>
      {next && <p className="mt-3 text-sm">{postWords.receipt.nextLook(fromNow(next, nowMs))}</p>}
    </section>
  );
}

/** `isSaid`: its message is already above, as the error of the publication. */
type ChapterProps = { attempt: Attempt; isSaid: boolean };

function Chapter({ attempt: { outcome, message, endTime, times, answer }, isSaid }: ChapterProps) {
  return (
    <li className="border-line border-l-2 pl-3 text-sm">
      <p>
        <time dateTime={endTime} className="text-muted">
          {dateAndTime(new Date(endTime))}
        </time>{" "}
        <span className="font-medium">{postWords.receipt.outcomes[outcome]}</span>
        {times > 1 && <span className="text-muted"> · {postWords.receipt.times(times)}</span>}
      </p>
      {!isSaid && message !== postWords.receipt.outcomes[outcome] && <p>{message}</p>}
      {answer && <Answer answer={answer} />}
    </li>
  );
}

/** The network's own response, for looking it up there. */
function Answer({ answer: { status, code, message } }: { answer: NonNullable<Attempt["answer"]> }) {
  return (
    <details className="text-muted">
      <summary className="min-h-8 content-center">{postWords.receipt.answer}</summary>
      <p className="wrap-anywhere font-mono text-xs">
        {status === 0 ? postWords.receipt.noAnswer : postWords.receipt.status(status)}
        {code && ` · ${code}`}
        {message && ` · ${message}`}
      </p>
    </details>
  );
}

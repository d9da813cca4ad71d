"use client";
import { Share2 } from "lucide-react";
import { useBodyForm } from "../api/use-body-form";
import { FIELD } from "../developers/fields";
import { dateAndTime } from "../time/format";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { FieldError } from "../ui/input-field";
import { Notice } from "../ui/notice";
import { type ApiReviewLink, useMakeReviewLink, useReviewLinks, useRevokeReviewLink } from "./queries";
import { reviewWords } from "./words";

const CHOICES = [1, 2, 3, 7, 14, 30];

/** Creates, lists and revokes review links. */
export function ShareForFeedback({ scheduleId }: { scheduleId: number }) {
  const make = useMakeReviewLink(scheduleId);
  const links = useReviewLinks(scheduleId);
  const { at, submit, isBusy, refusal } = useBodyForm({
    defaultValues: { days: 7 },
    fields: ["days"],
    schema: async () => (await import("@/lib/api/bodies/reviews")).NewReviewLink,
    bodyOf: ({ days }) => ({ days }),
    send: ({ days }) => make.mutateAsync(days),
  });
  const days = at("days", { valueAsNumber: true });
  return (
    <div className="grid gap-4 border-line border-t pt-4">
      <h3 className="font-semibold">{reviewWords.share}</h3>
      <p className="text-muted text-sm">{reviewWords.shareMeans}</p>
      <form onSubmit={submit} noValidate className="flex flex-wrap items-start gap-3">
        <div className="grid basis-40 gap-1">
          <label className="grid gap-1 font-medium text-sm">
            {reviewWords.worksFor}
            <select className={FIELD} {...days.props}>
              {CHOICES.map((count) => (
                <option key={count} value={count}>
                  {reviewWords.days(count)}
                </option>
              ))}
            </select>
          </label>
          <FieldError {...days.error} />
        </div>
        <Button type="submit" look="quiet" aria-disabled={isBusy} className="mt-6">
          <Share2 aria-hidden className="size-4" /> {isBusy ? reviewWords.making : reviewWords.makeLink}
        </Button>
      </form>
      {make.data && <NewLink key={make.data.id} url={make.data.url} />}
      {refusal && (
        <p role="alert" className="text-sm text-wrong">
          {reviewWords.noLink(refusal)}
        </p>
      )}
      <Links scheduleId={scheduleId} links={links.data ?? []} onGone={(id) => make.data?.id === id && make.reset()} />
    </div>
  );
}

/** A new link, shown once. */
function NewLink({ url }: { url: string }) {
  return (
    <Notice tone="good" action={<CopyButton text={url} />}>
      <p className="font-medium">{reviewWords.yourLink}</p>
      <a href={url} target="_blank" rel="noreferrer" className="mt-1 block break-all text-sm underline">
        {url}
        <span className="sr-only">{reviewWords.newTab}</span>
      </a>
    </Notice>
  );
}

type LinksProps = { scheduleId: number; links: ApiReviewLink[]; onGone: (id: number) => void };

function Links({ scheduleId, links, onGone }: LinksProps) {
  const revoke = useRevokeReviewLink(scheduleId);
  if (links.length === 0) return null;
  const now = Date.now();
  return (
    <ul aria-label={reviewWords.links} className="grid divide-y divide-line">
      {links.map(({ id, createdTime, endTime }) => {
        const hasEnded = Date.parse(endTime) <= now;
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-sm">
            <span>
              {hasEnded
                ? reviewWords.ended(dateAndTime(new Date(endTime)))
                : reviewWords.worksUntil(dateAndTime(new Date(endTime)))}
              <span className="block text-muted">{reviewWords.made(dateAndTime(new Date(createdTime)))}</span>
            </span>
            <Button
              look="quiet"
              aria-disabled={revoke.isPending}
              onClick={() => revoke.isPending || revoke.mutate(id, { onSuccess: () => onGone(id) })}
            >
              {hasEnded ? reviewWords.remove : reviewWords.revoke}
              <span className="sr-only">{reviewWords.linkMade(dateAndTime(new Date(createdTime)))}</span>
            </Button>
          </li>
        );
      })}
      {revoke.error && (
        <li role="alert" className="py-2 text-sm text-wrong">
          {reviewWords.notRevoked(revoke.error.message)}
        </li>
      )}
    </ul>
  );
}

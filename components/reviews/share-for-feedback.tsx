"use client";
import { useState } from "react";
import { dateAndTime } from "../time/format";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Share2 } from "../ui/icons";
import { Notice } from "../ui/notice";
import { type ApiReviewLink, useMakeReviewLink, useReviewLinks, useRevokeReviewLink } from "./queries";
import { shareWords } from "./words";

const CHOICES = [1, 2, 3, 7, 14, 30];

/** Creates, lists and revokes review links. */
export function ShareForFeedback({ scheduleId }: { scheduleId: number }) {
  const make = useMakeReviewLink(scheduleId);
  const links = useReviewLinks(scheduleId);
  const [days, setDays] = useState(7);
  return (
    <>
      <p className="text-muted text-sm">{shareWords.shareMeans}</p>
      <div className="flex flex-wrap items-end gap-3">
        <label className="grid basis-40 gap-1 font-medium text-sm">
          {shareWords.worksFor}
          <select
            value={days}
            onChange={({ target }) => setDays(Number(target.value))}
            className="min-h-11 w-full rounded-lg border border-edge bg-surface px-3 md:min-h-9"
          >
            {CHOICES.map((count) => (
              <option key={count} value={count}>
                {shareWords.days(count)}
              </option>
            ))}
          </select>
        </label>
        <Button
          look="quiet"
          className="px-3! text-sm md:min-h-9! md:py-1!"
          aria-disabled={make.isPending}
          onClick={() => make.isPending || make.mutate(days)}
        >
          <Share2 aria-hidden className="size-4" /> {make.isPending ? shareWords.making : shareWords.makeLink}
        </Button>
      </div>
      {make.data && <NewLink key={make.data.id} url={make.data.url} />}
      {make.error && (
        <p role="alert" className="text-sm text-wrong">
          {shareWords.noLink(make.error.message)}
        </p>
      )}
      <Links scheduleId={scheduleId} links={links.data ?? []} onGone={(id) => make.data?.id === id && make.reset()} />
    </>
  );
}

/** A new link, shown once. */
function NewLink({ url }: { url: string }) {
  return (
    <Notice tone="good" action={<CopyButton text={url} />}>
      <p className="font-medium">{shareWords.yourLink}</p>
      <a href={url} target="_blank" rel="noreferrer" className="mt-1 block break-all text-sm underline">
        {url}
        <span className="sr-only">{shareWords.newTab}</span>
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
    <ul aria-label={shareWords.links} className="grid divide-y divide-line">
      {links.map(({ id, createdTime, endTime }) => {
        const hasEnded = Date.parse(endTime) <= now;
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-sm">
            <span>
              {hasEnded
                ? shareWords.ended(dateAndTime(new Date(endTime)))
                : shareWords.worksUntil(dateAndTime(new Date(endTime)))}
              <span className="block text-muted">{shareWords.made(dateAndTime(new Date(createdTime)))}</span>
            </span>
            <Button
              look="quiet"
              aria-disabled={revoke.isPending}
              onClick={() => revoke.isPending || revoke.mutate(id, { onSuccess: () => onGone(id) })}
            >
              {hasEnded ? shareWords.remove : shareWords.revoke}
              <span className="sr-only">{shareWords.linkMade(dateAndTime(new Date(createdTime)))}</span>
            </Button>
          </li>
        );
      })}
      {revoke.error && (
        <li role="alert" className="py-2 text-sm text-wrong">
          {shareWords.notRevoked(revoke.error.message)}
        </li>
      )}
    </ul>
  );
}

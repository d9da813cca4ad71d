"use client";
import { Share2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { FIELD } from "../developers/fields";
import { dateAndTime } from "../time/format";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Notice } from "../ui/notice";
import { type ReviewLink, useMakeReviewLink, useReviewLinks, useRevokeReviewLink } from "./queries";

const CHOICES = [1, 2, 3, 7, 14, 30];

/** Makes links for people without an account, lists them, and takes them back. */
export function ShareForFeedback({ scheduleId }: { scheduleId: number }) {
  const [days, setDays] = useState(7);
  const make = useMakeReviewLink(scheduleId);
  const links = useReviewLinks(scheduleId);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!make.isPending) make.mutate(days);
  }
  return (
    <div className="grid gap-4 border-line border-t pt-4">
      <h3 className="font-semibold">Share for feedback</h3>
      <p className="text-muted text-sm">
        Whoever has the link sees the post as each network will show it, without an account, and can comment, approve or
        ask for changes.
      </p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <label className="grid basis-40 gap-1 font-medium text-sm">
          The link works for
          <select value={days} onChange={({ target }) => setDays(Number(target.value))} className={FIELD}>
            {CHOICES.map((count) => (
              <option key={count} value={count}>
                {count === 1 ? "a day" : `${count} days`}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit" look="quiet" aria-disabled={make.isPending}>
          <Share2 aria-hidden className="size-4" /> {make.isPending ? "Making…" : "Make a link"}
        </Button>
      </form>
      {make.data && <NewLink key={make.data.id} url={make.data.url} />}
      {make.error && (
        <p role="alert" className="text-wrong text-sm">
          No link was made: {make.error.message}
        </p>
      )}
      <Links scheduleId={scheduleId} links={links.data ?? []} onGone={(id) => make.data?.id === id && make.reset()} />
    </div>
  );
}

/** Where a new link leads, which is shown this once. */
function NewLink({ url }: { url: string }) {
  return (
    <Notice tone="good" action={<CopyButton text={url} />}>
      <p className="font-medium">Your link, shown only now:</p>
      <a href={url} target="_blank" rel="noreferrer" className="mt-1 block break-all text-sm underline">
        {url}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    </Notice>
  );
}

type LinksProps = { scheduleId: number; links: ReviewLink[]; onGone: (id: number) => void };

function Links({ scheduleId, links, onGone }: LinksProps) {
  const revoke = useRevokeReviewLink(scheduleId);
  if (links.length === 0) return null;
  const now = Date.now();
  return (
    <ul aria-label="Links" className="grid divide-y divide-line">
      {links.map(({ id, createdTime, endTime }) => {
        const hasEnded = Date.parse(endTime) <= now;
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-sm">
            <span>
              {hasEnded ? "Ended" : "Works until"} {dateAndTime(new Date(endTime))}
              <span className="block text-muted">made {dateAndTime(new Date(createdTime))}</span>
            </span>
            <Button
              look="quiet"
              aria-disabled={revoke.isPending}
              onClick={() => revoke.isPending || revoke.mutate(id, { onSuccess: () => onGone(id) })}
            >
              {hasEnded ? "Remove" : "Revoke"}
              <span className="sr-only"> the link made {dateAndTime(new Date(createdTime))}</span>
            </Button>
          </li>
        );
      })}
      {revoke.error && (
        <li role="alert" className="py-2 text-sm text-wrong">
          Not revoked: {revoke.error.message}
        </li>
      )}
    </ul>
  );
}

"use client";
import { Paperclip } from "lucide-react";
import { memo } from "react";
import type { ApiAccount, ApiSchedule } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { dateAndTime, fromNow, zoneAt } from "../time/format";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { isAhead, mediaWords, stateOf, textsOf } from "./facts";
import { PublicationRow } from "./publication-row";
import { ChangesMark, Status } from "./status";
import { postWords } from "./words";

export type ScheduleCardProps = {
  schedule: ApiSchedule;
  accounts: ApiAccount[];
  networks: NetworkFacts[];
  nowMs: number;
};

/** A schedule in a list: time, status, text and accounts. */
export function ScheduleCard({ nowMs, ...card }: ScheduleCardProps) {
  // The clock is read here, so that a tick re-renders only cards whose text changes.
  return <Face state={stateOf(card.schedule, nowMs)} wait={waitOf(card.schedule, nowMs)} {...card} />;
}

type FaceProps = Omit<ScheduleCardProps, "nowMs"> & { state: ReturnType<typeof stateOf>; wait: string | undefined };

const Face = memo(function Face({ schedule, accounts, networks, state, wait }: FaceProps) {
  const [text = postWords.card.noText] = textsOf(schedule);
  const media = mediaWords(schedule.publications[0]?.posts[0]?.attachmentPaths ?? []);
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <When schedule={schedule} wait={wait} />
        <span className="flex flex-wrap gap-2">
          <ChangesMark schedule={schedule} />
          <Status of={state} />
        </span>
      </div>
      <h2 className="mt-3">
        <Link href={`/posts/${schedule.id}`} className="line-clamp-3 whitespace-pre-line font-medium hover:underline">
          {text}
        </Link>
      </h2>
      {media && (
        <p className="mt-1 flex items-center gap-1.5 text-muted text-sm">
          <Paperclip aria-hidden className="size-4" />
          {media}
        </p>
      )}
      <ul aria-label={postWords.card.accounts} className="mt-3 divide-y divide-line border-line border-t">
        {schedule.publications.map((publication) => (
          <PublicationRow
            key={publication.id}
            publication={publication}
            {...accountAndNetwork(publication.socialMediaAccountId, accounts, networks)}
          />
        ))}
      </ul>
    </Card>
  );
});

/** Returns an account and its network, if they are still connected. */
export function accountAndNetwork(accountId: number, accounts: ApiAccount[], networks: NetworkFacts[]) {
  const account = accounts.find(({ id }) => id === accountId);
  return { account, network: networks.find(({ platform }) => platform === account?.platform) };
}

/** The time until publication in words, while something is still to happen. */
export function waitOf(schedule: ApiSchedule, nowMs: number): string | undefined {
  if (!schedule.scheduledTime || !isAhead(schedule)) return undefined;
  return fromNow(new Date(schedule.scheduledTime), nowMs);
}

/** The exact date with its zone, and the time until then. */
export function When({ schedule, wait }: { schedule: ApiSchedule; wait: string | undefined }) {
  if (!schedule.scheduledTime) return <span className="text-muted text-sm">{postWords.card.noTime}</span>;
  const instant = new Date(schedule.scheduledTime);
  return (
    <p className="text-sm">
      <time dateTime={schedule.scheduledTime} className="font-medium">
        {dateAndTime(instant)}
      </time>{" "}
      <span className="text-muted">{zoneAt(instant)}</span>
      {wait && <span className="text-muted"> · {wait}</span>}
    </p>
  );
}

"use client";
import { type ReactNode, useState } from "react";
import { type MoveOutcome, useMoveAll } from "../api/move-all";
import type { Move } from "../api/move-schedule";
import type { ApiSchedule } from "../api/types";
import { textsOf } from "../posts/facts";
import { dateAndTime } from "../time/format";
import { ownZone, zoneIn, zoneName } from "../time/zone";
import { Button } from "../ui/button";
import { TitledModal } from "../ui/titled-modal";
import { queueWords } from "./words";
import type { ZoneChange, ZoneMoves } from "./zone-change";

type Props = {
  accountId: number;
  found: ZoneMoves & { isCut: boolean };
  change: ZoneChange;
  /** Postpones the question. */
  close: () => void;
  end: (outcome?: MoveOutcome) => void;
};

/** Asks whether planned posts move to the queue's new zone, and moves them. */
export function ZoneWindow({ accountId, found, change, close, end }: Props) {
  const moveAll = useMoveAll();
  const [tried, setTried] = useState<number>();
  const [stop] = useState(() => new AbortController());
  const { moves, past } = found;
  const count = moves.length + past.length;
  const shared = moves.filter(({ schedule }) => goesElsewhere(schedule, accountId)).length;
  const isMoving = tried !== undefined;
  async function move() {
    if (isMoving) return;
    setTried(0);
    end(await moveAll(moves, { onTried: setTried, signal: stop.signal }));
  }
  return (
    <TitledModal title={queueWords.zone.title(moves.length)} close={() => isMoving || close()} comesByItself>
      <p>
        {queueWords.zone.found(count, zoneName(change.from))}
        {moves.length > 0 && ` ${queueWords.zone.keepTheirTime(count, zoneName(change.to))}`}
      </p>
      {moves[0] && <Example {...moves[0]} change={change} />}
      {moreOf(found, shared).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p role="status" className="sr-only">
        {isMoving && progressOf(tried, moves.length)}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t pt-4">
        <Button look={moves.length > 0 ? "quiet" : "primary"} onClick={() => (isMoving ? stop.abort() : end())}>
          {isMoving ? queueWords.zone.stop : queueWords.zone.leave(count)}
        </Button>
        {moves.length > 0 && (
          <Button aria-disabled={isMoving} onClick={() => void move()}>
            {isMoving
              ? queueWords.zone.moving(Math.min(tried + 1, moves.length), moves.length)
              : queueWords.zone.move(moves.length)}
          </Button>
        )}
      </div>
    </TitledModal>
  );
}

/** Additional notes, one sentence each. */
function moreOf({ moves, past, isCut }: Props["found"], shared: number): string[] {
  const isOver =
    past.length === 1 && moves.length === 0 ? queueWords.zone.itsTimeIsOver : queueWords.zone.timesAreOver(past.length);
  return [
    ...(shared > 0 ? [queueWords.zone.goElsewhere(shared)] : []),
    ...(past.length > 0 ? [isOver] : []),
    ...(isCut ? [queueWords.zone.isCut] : []),
  ];
}

/** The progress for screen readers, announced only now and then. */
function progressOf(tried: number, moves: number): string {
  return tried < 10 ? queueWords.zone.begun(moves) : queueWords.zone.someDone(tried - (tried % 10), moves);
}

function goesElsewhere({ publications }: ApiSchedule, accountId: number): boolean {
  return publications.some(({ socialMediaAccountId }) => socialMediaAccountId !== accountId);
}

/** The first post in both zones, and in the reader's zone if it differs. */
function Example({ schedule, to, change }: Move & { change: ZoneChange }) {
  const [text = queueWords.zone.noText] = textsOf(schedule);
  const now = new Date(schedule.scheduledTime ?? to);
  const own = ownZone();
  return (
    <section
      aria-label={queueWords.zone.firstOfThem}
      className="grid gap-2 rounded-lg border border-line bg-sunk p-3 text-sm"
    >
      <p className="line-clamp-2 font-medium">{text}</p>
      <dl className="grid gap-2">
        <Line name={queueWords.zone.now}>
          <Time instant={now} zone={change.from} />
        </Line>
        <Line name={queueWords.zone.movedTo}>
          <Time instant={to} zone={change.to} />
        </Line>
        {own !== change.to && (
          <Line name={queueWords.zone.yourClock}>
            <Time instant={to} zone={own} />
          </Line>
        )}
      </dl>
    </section>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[5rem_1fr]">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Time({ instant, zone }: { instant: Date; zone: string }) {
  return (
    <>
      <time dateTime={instant.toISOString()}>{dateAndTime(instant, zone)}</time> {zoneIn(zone, instant)}
    </>
  );
}

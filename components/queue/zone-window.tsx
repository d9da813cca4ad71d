"use client";
import { type ReactNode, useState } from "react";
import { type Outcome, useMoveAll } from "../api/move-all";
import type { Move } from "../api/move-schedule";
import type { Schedule } from "../api/types";
import { textsOf } from "../posts/facts";
import { dateAndTime } from "../time/format";
import { ownZone, zoneIn } from "../time/zone";
import { Button } from "../ui/button";
import { TitledModal } from "../ui/titled-modal";
import type { ZoneChange, ZoneMoves } from "./zone-moves";
import { foundWords, moreWords, moveWords, progressWords, titleWords } from "./zone-words";

type Props = {
  accountId: number;
  found: ZoneMoves & { isCut: boolean };
  change: ZoneChange;
  putOff: () => void;
  end: (outcome?: Outcome) => void;
};

/** Asks whether what is planned goes along to a queue's new zone, and moves it. */
export function ZoneWindow({ accountId, found, change, putOff, end }: Props) {
  const moveAll = useMoveAll();
  const [tried, setTried] = useState<number>();
  const [stop] = useState(() => new AbortController());
  const { moves, past, isCut } = found;
  const shared = moves.filter(({ schedule }) => goesElsewhere(schedule, accountId)).length;
  const isMoving = tried !== undefined;
  async function move() {
    if (isMoving) return;
    setTried(0);
    end(await moveAll(moves, { onTried: setTried, signal: stop.signal }));
  }
  return (
    <TitledModal title={titleWords(moves.length)} close={() => isMoving || putOff()} comesByItself>
      <p>{foundWords(found, change)}</p>
      {moves[0] && <Example {...moves[0]} change={change} />}
      {moreWords({ moves: moves.length, shared, past: past.length, isCut }).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p role="status" className="sr-only">
        {isMoving && progressWords(tried, moves.length)}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-3 border-line border-t pt-4">
        <Button look={moves.length > 0 ? "quiet" : "primary"} onClick={() => (isMoving ? stop.abort() : end())}>
          {isMoving ? "Stop" : moves.length + past.length === 1 ? "Leave it where it is" : "Leave them where they are"}
        </Button>
        {moves.length > 0 && (
          <Button aria-disabled={isMoving} onClick={() => void move()}>
            {isMoving ? `Moving ${Math.min(tried + 1, moves.length)} of ${moves.length}…` : moveWords(moves.length)}
          </Button>
        )}
      </div>
    </TitledModal>
  );
}

function goesElsewhere({ publications }: Schedule, accountId: number): boolean {
  return publications.some(({ socialMediaAccountId }) => socialMediaAccountId !== accountId);
}

/** The first of them, by both zones' clocks and by the reader's own where that is another than the new one. */
function Example({ schedule, to, change }: Move & { change: ZoneChange }) {
  const [text = "No text"] = textsOf(schedule);
  const now = new Date(schedule.scheduledTime ?? to);
  const own = ownZone();
  return (
    <section aria-label="The first of them" className="grid gap-2 rounded-lg border border-line bg-sunk p-3 text-sm">
      <p className="line-clamp-2 font-medium">{text}</p>
      <dl className="grid gap-2">
        <Line name="Now">
          <Time instant={now} zone={change.from} />
        </Line>
        <Line name="Moved">
          <Time instant={to} zone={change.to} />
        </Line>
        {own !== change.to && (
          <Line name="Your clock">
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

"use client";
import { useDraggable, useDroppable } from "@dnd-kit/core";
import { handleOf } from "../accounts/names";
import type { ApiNextSlots } from "../api/slots";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { canChange, stateWith } from "../posts/facts";
import { MoveDialog } from "../posts/move-dialog";
import type { MoveTo } from "../posts/use-moves";
import { type Day, dayOf } from "../time/days";
import { toLocalField } from "../time/format";
import { Plus } from "../ui/icons";
import { Link } from "../ui/link";
import { Sentence } from "../ui/sentence";
import { ChipFace, type ChipSize, scheduleTime } from "./chip-face";
import { composeAt } from "./views";
import { calendarWords } from "./words";

export type ChipProps = { schedule: ApiSchedule; accounts: ApiAccount[]; nowMs: number; move: MoveTo };

/** A schedule in the grid. It can be dragged; one that has begun stays where it is, and says why. */
export function Chip({ schedule, accounts, nowMs, move, size = "chip" }: ChipProps & { size?: ChipSize }) {
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: schedule.id, data: { schedule } });
  return (
    <div data-chip={schedule.id} className="group relative min-w-0">
      <div
        ref={setNodeRef}
        {...listeners}
        className={`${canChange(schedule) ? "cursor-grab" : ""} ${isDragging ? "opacity-40" : ""}`}
      >
        <ChipFace schedule={schedule} accounts={accounts} state={stateWith(schedule, accounts, nowMs)} size={size} />
      </div>
      <Movable schedule={schedule} move={move} />
    </div>
  );
}

/** The same in a list, with its move button in sight. */
export function ChipRow({ schedule, accounts, nowMs, move }: ChipProps) {
  return (
    <div data-chip={schedule.id} className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <ChipFace schedule={schedule} accounts={accounts} state={stateWith(schedule, accounts, nowMs)} size="row" />
      </div>
      {canChange(schedule) && (
        <MoveDialog schedule={schedule} move={move} isWide className="shrink-0 max-md:px-3 max-md:[&>span]:sr-only" />
      )}
    </div>
  );
}

function Movable({ schedule, move }: Pick<ChipProps, "schedule" | "move">) {
  if (!canChange(schedule)) return null;
  return (
    <MoveDialog
      schedule={schedule}
      move={move}
      className="absolute top-0.5 right-0.5 opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100"
    />
  );
}

export type Openings = ApiNextSlots["items"];

type OpeningProps = { opening: Openings[number]; accounts: ApiAccount[] };

/** A free posting time. It opens the composer with that time, and a post that is dropped on it takes the time. */
export function Opening({ opening: { time, accountIds }, accounts }: OpeningProps) {
  const { setNodeRef, isOver } = useDroppable({ id: `free ${time}`, data: { time } });
  const whose = accounts.filter(({ id }) => accountIds.includes(id)).map(handleOf);
  return (
    <Link
      ref={setNodeRef}
      href={composeAt(toLocalField(new Date(time)))}
      draggable={false}
      className={`flex h-7.5 items-center gap-1 overflow-hidden whitespace-nowrap rounded-[0.4375rem] border border-edge border-dashed px-2 text-muted text-xs hover:border-accent hover:text-accent hover:no-underline ${isOver ? "border-accent bg-accent-soft text-accent" : ""}`}
    >
      <Plus aria-hidden className="size-3.5 shrink-0" />
      <Sentence
        text={calendarWords.free}
        parts={{
          time: <time dateTime={time}>{scheduleTime(time)}</time>,
          accounts: <span className="sr-only">{calendarWords.freeFor(whose.join(", "))}</span>,
        }}
      />
    </Link>
  );
}

/** Groups free times by local day. */
export function openingsByDay(openings: Openings): Map<Day, Openings> {
  const found = new Map<Day, Openings>();
  for (const opening of openings) {
    const day = dayOf(new Date(opening.time));
    found.set(day, [...(found.get(day) ?? []), opening]);
  }
  return found;
}

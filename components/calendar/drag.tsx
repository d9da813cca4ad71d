"use client";
import {
  type Active,
  type Announcements,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  MouseSensor,
  type Over,
  pointerWithin,
  TouchSensor,
  useDroppable,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, useState } from "react";
import type { ApiSchedule } from "../api/types";
import { stateOf, textsOf } from "../posts/facts";
import { postWords } from "../posts/words";
import { type Day, inHour, onDay } from "../time/days";
import { dateAndTime } from "../time/format";
import { Link } from "../ui/link";
import { ChipFace, type ChipProps } from "./chip";
import { calendarWords } from "./words";

type Props = Pick<ChipProps, "accounts" | "nowMs" | "move"> & { children: ReactNode };

/** Makes the chips draggable to other cells: a day of a month keeps the time, an hour of a week sets it. */
export function Drag({ accounts, nowMs, move, children }: Props) {
  const [held, setHeld] = useState<ApiSchedule>();
  const sensors = useSensors(
    // A distance or a delay distinguishes dragging from clicking and scrolling.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  function letGo({ over }: DragEndEvent) {
    const slot = over?.data.current as Slot | undefined; // set by `Cell`; the library leaves it untyped
    if (held?.scheduledTime && slot) move(held, timeIn(slot, new Date(held.scheduledTime)));
    setHeld(undefined);
  }
  return (
    <DndContext
      id="calendar"
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{ announcements, screenReaderInstructions: { draggable: calendarWords.drag.how } }}
      onDragStart={({ active }: DragStartEvent) => setHeld(active.data.current?.schedule)}
      onDragEnd={letGo}
      onDragCancel={() => setHeld(undefined)}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {held && (
          <div className="w-40 rounded-lg border border-accent bg-surface text-sm shadow-lg">
            <ChipFace schedule={held} accounts={accounts} state={stateOf(held, nowMs)} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** What a screen reader says while a post is dragged, in full sentences. */
const announcements: Announcements = {
  onDragStart: ({ active }) => calendarWords.drag.picked(nameOf(active), timeOf(active)),
  onDragOver: ({ active, over }) =>
    over ? calendarWords.drag.over(nameOf(active), targetOf(active, over)) : calendarWords.drag.outside(nameOf(active)),
  onDragEnd: ({ active, over }) =>
    over
      ? calendarWords.drag.dropped(nameOf(active), targetOf(active, over))
      : calendarWords.drag.stays(nameOf(active), timeOf(active)),
  onDragCancel: ({ active }) => calendarWords.drag.stays(nameOf(active), timeOf(active)),
};

/** Set by `Chip`; the library leaves it untyped. */
const scheduleOf = ({ data }: Active) => data.current?.schedule as ApiSchedule;
const nameOf = (active: Active) => textsOf(scheduleOf(active))[0] ?? postWords.card.noText;
const instantOf = (active: Active) => new Date(scheduleOf(active).scheduledTime ?? "");
const timeOf = (active: Active) => dateAndTime(instantOf(active));

/** The time that the post gets if it is dropped there. */
function targetOf(active: Active, { data }: Over): string {
  return dateAndTime(timeIn(data.current as Slot, instantOf(active))); // set by `Cell`
}

function timeIn({ day, hour }: Slot, instant: Date): Date {
  return hour === undefined ? onDay(instant, day) : inHour(instant, day, hour);
}

/** A drop target: a day, or one hour of it. */
type Slot = { day: Day; hour?: number };

/** `writeAt` is absent in the past. */
type CellProps = { slot: Slot; writeAt?: string; className?: string; children: ReactNode };

/** A table cell that accepts drops. Its empty area opens the composer with that time. */
export function Cell({ slot, writeAt, className = "", children }: CellProps) {
  const { setNodeRef, isOver } = useDroppable({ id: `${slot.day}T${slot.hour ?? ""}`, data: slot });
  return (
    <td
      ref={setNodeRef}
      className={`relative border border-line align-top ${isOver ? "bg-accent-soft" : ""} ${className}`}
    >
      {/* For pointers only; each day's heading has the same link. */}
      {writeAt && (
        <Link href={composeAt(writeAt)} tabIndex={-1} aria-hidden className="absolute inset-0 hover:bg-sunk/60" />
      )}
      <div className="pointer-events-none relative grid gap-1 p-1 [&>*]:pointer-events-auto">{children}</div>
    </td>
  );
}

/** The address of the composer with a time filled in, in the format of a `datetime-local` field. */
export function composeAt(local: string): string {
  return `/compose?${new URLSearchParams({ at: local })}`;
}

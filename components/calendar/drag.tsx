"use client";
import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useDroppable,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, useState } from "react";
import type { Schedule } from "../api/types";
import { stateOf } from "../posts/facts";
import { type Day, inHour, onDay } from "../time/days";
import { Link } from "../ui/link";
import { ChipFace, type ChipProps } from "./chip";

type Props = Pick<ChipProps, "accounts" | "nowMs" | "move"> & { children: ReactNode };

/** Lets the chips inside be dragged to other cells: a day of a month keeps the time, an hour of a week sets it. */
export function Drag({ accounts, nowMs, move, children }: Props) {
  const [held, setHeld] = useState<Schedule>();
  const sensors = useSensors(
    // A few pixels, or a moment under the thumb, tell a drag from a click and from scrolling.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  function letGo({ over }: DragEndEvent) {
    const slot = over?.data.current as Slot | undefined; // what `Cell` gave; the library keeps it untyped
    if (held?.scheduledTime && slot) move(held, timeIn(slot, new Date(held.scheduledTime)));
    setHeld(undefined);
  }
  return (
    <DndContext
      id="calendar"
      sensors={sensors}
      collisionDetection={pointerWithin}
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

function timeIn({ day, hour }: Slot, instant: Date): Date {
  return hour === undefined ? onDay(instant, day) : inHour(instant, day, hour);
}

/** Where a dragged schedule can be let go: a day, or one hour of it. */
type Slot = { day: Day; hour?: number };

type CellProps = { slot: Slot; writeAt: string; className?: string; children: ReactNode };

/** A table cell that takes what is dropped there; its empty ground leads to the composer with that time filled in. */
export function Cell({ slot, writeAt, className = "", children }: CellProps) {
  const { setNodeRef, isOver } = useDroppable({ id: `${slot.day}T${slot.hour ?? ""}`, data: slot });
  return (
    <td
      ref={setNodeRef}
      className={`relative border border-line align-top ${isOver ? "bg-accent-soft" : ""} ${className}`}
    >
      {/* For the pointer only: the head of each day has the same way for everybody else. */}
      <Link href={composeAt(writeAt)} tabIndex={-1} aria-hidden className="absolute inset-0 hover:bg-sunk/60" />
      <div className="pointer-events-none relative grid gap-1 p-1 [&>*]:pointer-events-auto">{children}</div>
    </td>
  );
}

/** The composer with a time filled in, as a `datetime-local` field writes it. */
export function composeAt(local: string): string {
  return `/compose?${new URLSearchParams({ at: local })}`;
}

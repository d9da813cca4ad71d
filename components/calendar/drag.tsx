"use client";
import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, useState } from "react";
import type { Schedule } from "../api/types";
import { stateOf } from "../posts/facts";
import { inHour, onDay } from "../time/days";
import type { Slot } from "./cell";
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

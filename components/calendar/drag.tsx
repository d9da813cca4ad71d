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
  useDndContext,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { serverNow } from "../api/client";
import type { ApiSchedule } from "../api/types";
import { canChange, stateWith, textsOf } from "../posts/facts";
import type { MoveTo } from "../posts/use-moves";
import { postWords } from "../posts/words";
import { atMinute, type Day, onDay } from "../time/days";
import { dateAndTime } from "../time/format";
import { say } from "../ui/toast";
import type { ChipProps } from "./chip";
import { ChipFace } from "./chip-face";
import { calendarWords } from "./words";

type Props = Pick<ChipProps, "accounts" | "nowMs" | "move"> & { copy: MoveTo; children: ReactNode };

/**
 * Makes the chips draggable: to a day of a month, which keeps the time, to a time of a week, or to a free posting time. With
 * the Shift key, a copy goes there.
 */
export function Drag({ accounts, nowMs, move, copy, children }: Props) {
  const [held, setHeld] = useState<ApiSchedule>();
  const [copies, isCopy] = useShiftKey(held !== undefined);
  const sensors = useSensors(
    // A distance or a delay distinguishes dragging from clicking and scrolling.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  function pick({ active, activatorEvent: { target } }: DragStartEvent) {
    const schedule = scheduleOf(active);
    if (canChange(schedule)) return setHeld(schedule);
    shake(target);
    sayWhyItStays(schedule);
  }
  function letGo({ active, over }: DragEndEvent) {
    setHeld(undefined);
    if (!held?.scheduledTime || !over) return;
    const to = landing(active, over);
    const isPast = to.getTime() < serverNow();
    if (isPast) shake(document.querySelector(`[data-drop="${over.id}"]`));
    (isCopy.current && !isPast ? copy : move)(held, to);
  }
  return (
    <DndContext
      id="calendar"
      sensors={sensors}
      collisionDetection={pointerWithin}
      accessibility={{
        announcements: useMemo(() => announcementsOf(isCopy), [isCopy]),
        screenReaderInstructions: { draggable: calendarWords.drag.how },
      }}
      onDragStart={pick}
      onDragEnd={letGo}
      onDragCancel={() => setHeld(undefined)}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {held && (
          <>
            <div className="rounded-[0.4375rem] shadow-lg outline-2 outline-accent motion-safe:rotate-2">
              <ChipFace schedule={held} accounts={accounts} state={stateWith(held, accounts, nowMs)} />
            </div>
            <Landing isCopy={copies} />
          </>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** Says where the post will land. */
function Landing({ isCopy }: { isCopy: boolean }) {
  const { active, over } = useDndContext();
  if (!active || !over) return null;
  return (
    <p className="mt-2 w-max rounded-lg bg-ink px-2.5 py-1 font-semibold text-paper text-xs">
      {isCopy && calendarWords.drag.copy}
      {dateAndTime(landing(active, over))}
    </p>
  );
}

/** Whether the Shift key is held while a post is dragged: for drawing, and for the moment when the post is dropped. */
function useShiftKey(isDragging: boolean): [boolean, RefObject<boolean>] {
  const [isHeld, setHeld] = useState(false);
  const latest = useRef(false);
  useEffect(() => {
    if (!isDragging) return;
    const look = ({ shiftKey }: KeyboardEvent | MouseEvent) => {
      latest.current = shiftKey;
      setHeld(shiftKey);
    };
    const events = ["keydown", "keyup", "mousemove", "mouseup"] as const;
    for (const event of events) addEventListener(event, look, true);
    return () => {
      for (const event of events) removeEventListener(event, look, true);
    };
  }, [isDragging]);
  return [isHeld, latest];
}

/** Says why a post that has begun cannot be moved. */
export function sayWhyItStays(schedule: ApiSchedule): void {
  const { stays } = calendarWords;
  const when = dateAndTime(new Date(schedule.scheduledTime ?? ""));
  const words = schedule.overallStatus === "IN_PROGRESS" ? stays.publishing : stays.over(when);
  say((toast) => toast.error(words, { id: "stays" }));
}

/** Shakes the cell once, as a head says no. */
function shake(target: EventTarget | null): void {
  if (!(target instanceof Element) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const sideways = ["0", "-4px", "4px", "-2px", "0"].map((translate) => ({ translate }));
  target.closest("td, li, ol")?.animate(sideways, { duration: 300 });
}

/** What a screen reader says while a post is dragged, in full sentences. */
const announcementsOf = (isCopy: RefObject<boolean>): Announcements => ({
  onDragStart: ({ active }) =>
    canChange(scheduleOf(active))
      ? calendarWords.drag.picked(nameOf(active), timeOf(active))
      : calendarWords.drag.stays(nameOf(active), timeOf(active)),
  onDragMove: ({ active, over }) => (over ? goingTo(active, over, isCopy.current) : undefined),
  onDragOver: ({ active, over }) =>
    over ? goingTo(active, over, isCopy.current) : calendarWords.drag.outside(nameOf(active)),
  onDragEnd: ({ active, over }) =>
    over && canChange(scheduleOf(active))
      ? calendarWords.drag.dropped(nameOf(active), dateAndTime(landing(active, over)))
      : calendarWords.drag.stays(nameOf(active), timeOf(active)),
  onDragCancel: ({ active }) => calendarWords.drag.stays(nameOf(active), timeOf(active)),
});

function goingTo(active: Active, over: Over, isCopy: boolean): string | undefined {
  if (!canChange(scheduleOf(active))) return undefined;
  return calendarWords.drag.over(nameOf(active), dateAndTime(landing(active, over)), isCopy);
}

/** Set by `Chip`; the library leaves it untyped. */
const scheduleOf = ({ data }: Active) => data.current?.schedule as ApiSchedule;
const nameOf = (active: Active) => textsOf(scheduleOf(active))[0] ?? postWords.card.noText;
const instantOf = (active: Active) => new Date(scheduleOf(active).scheduledTime ?? "");
const timeOf = (active: Active) => dateAndTime(instantOf(active));

/** A drop target: a day of a month, a day of a week whose height is its 24 hours, or a free posting time. */
export type DropTarget = { day: Day; isTimed?: true } | { time: string };

const STEP_MINUTES = 15;
const LAST_MINUTE = 24 * 60 - STEP_MINUTES;

/** The time that the post gets if it is dropped there. In a week its upper edge counts. */
function landing(active: Active, { data, rect }: Over): Date {
  const target = data.current as DropTarget; // set by the droppable elements; the library leaves it untyped
  if ("time" in target) return new Date(target.time);
  if (!target.isTimed) return onDay(instantOf(active), target.day);
  const top = (active.rect.current.translated?.top ?? rect.top) - rect.top;
  const steps = Math.round((top / rect.height) * 24 * (60 / STEP_MINUTES));
  return atMinute(target.day, Math.min(Math.max(steps * STEP_MINUTES, 0), LAST_MINUTE));
}

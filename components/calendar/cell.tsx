"use client";
import { useDroppable } from "@dnd-kit/core";
import type { ReactNode } from "react";
import type { Day } from "../time/days";
import { Link } from "../ui/link";

/** Where a dragged schedule can be let go: a day, or one hour of it. */
export type Slot = { day: Day; hour?: number };

type Props = { slot: Slot; writeAt: string; className?: string; children: ReactNode };

/** A table cell that takes what is dropped there; its empty ground leads to the composer with that time filled in. */
export function Cell({ slot, writeAt, className = "", children }: Props) {
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

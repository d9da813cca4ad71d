"use client";
import { useDroppable } from "@dnd-kit/core";
import { Plus } from "lucide-react";
import { handleOf } from "../accounts/names";
import type { ApiNextSlots } from "../api/slots";
import type { ApiAccount } from "../api/types";
import { type Day, dayOf } from "../time/days";
import { toLocalField } from "../time/format";
import { Link } from "../ui/link";
import { Sentence } from "../ui/sentence";
import { scheduleTime } from "./chip";
import { composeAt } from "./views";
import { calendarWords } from "./words";

export type Openings = ApiNextSlots["items"];

type Props = { opening: Openings[number]; accounts: ApiAccount[] };

/** A free posting time. It opens the composer with that time, and a post that is dropped on it takes the time. */
export function Opening({ opening: { time, accountIds }, accounts }: Props) {
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

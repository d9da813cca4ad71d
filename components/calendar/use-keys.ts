"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import type { ApiSchedule } from "../api/types";
import { areSingleKeysOn, calendarKeys as keys, writeKey } from "../palette/keys";
import { isWriting } from "../posts/use-undo";
import { addDays, type Day } from "../time/days";
import { sayWhyItStays } from "./drag";
import type { CalendarPlace, GoInCalendar } from "./views";
import { composeOn, step, views } from "./views";

const steps: { [key: string]: number } = {
  [keys.dayBefore]: -1,
  [keys.dayAfter]: 1,
  [keys.weekBefore]: -7,
  [keys.weekAfter]: 7,
};

type At = {
  /** Whether the days of this view are drawn, and not those of the view before, which are about to go. */
  isDrawn: boolean;
  today: Day;
  nowMs: number;
  go: GoInCalendar;
  /** The posts that may be drawn. */
  schedules: ApiSchedule[] | undefined;
};

/** The calendar's shortcuts: days, views, today, new post and moving the post that has the focus. Ignored while typing. */
export function useKeys({ view, day }: CalendarPlace, { isDrawn, today, nowMs, go, schedules }: At) {
  const router = useRouter();
  /** The day that gets the focus as soon as it is drawn; it may be in another month or view. */
  const wanted = useRef<Day>(undefined);
  useEffect(() => {
    const drawn = document.querySelector<HTMLElement>(`[data-day="${wanted.current}"]`);
    if (!isDrawn || !drawn || wanted.current !== day) return;
    drawn.focus();
    wanted.current = undefined;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || !areSingleKeysOn()) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const at = event.target instanceof Element ? event.target : document.body;
      const chosen = at.closest<HTMLElement>("[data-day]")?.dataset.day;
      const days = steps[key];
      const other = views.find((one) => keys[one] === key);
      // A press opens the day, except among the dots of a phone, where it chooses the day.
      const isPress = (key === "Enter" || key === " ") && chosen && !at.closest("[aria-pressed]");
      const opened = other ?? (isPress ? "day" : undefined);
      if (opened) {
        wanted.current = opened === view || opened === "list" ? undefined : chosen; // the list has no such days
        if (other) go({ view: other });
      } else if (key === keys.today) {
        wanted.current = chosen === today ? undefined : chosen && today;
        go({ day: today });
      } else if (key === keys.move) move(at.closest<HTMLElement>("[data-chip]"));
      else if (key === writeKey) router.push((chosen && composeOn(chosen, today, nowMs)) ?? "/compose");
      else if (days && view === "list" && Math.abs(days) === 1) go({ day: step(view, day, days === 1 ? 1 : -1) });
      // Up and down scroll the page and the hours, unless a day of a month has the focus.
      else if (days && view !== "list" && (Math.abs(days) === 1 || (chosen && view === "month"))) {
        event.preventDefault();
        // While the wanted day is not drawn yet, the focus is still on an earlier one.
        wanted.current = addDays(wanted.current === day ? day : (chosen ?? day), days);
        go({ day: wanted.current });
      }
    }
    function move(chip: HTMLElement | null) {
      const button = chip?.querySelector("button");
      const schedule = schedules?.find(({ id }) => String(id) === chip?.dataset.chip);
      if (button) button.click();
      else if (schedule) sayWhyItStays(schedule);
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

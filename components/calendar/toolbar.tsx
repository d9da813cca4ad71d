"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { calendarKeys } from "../palette/keys";
import type { Day } from "../time/days";
import { Button } from "../ui/button";
import type { CalendarPlace } from "./use-place";
import { step, views } from "./views";
import { calendarWords } from "./words";

/** The heading, which receives the focus when the focused element is gone. */
export const TITLE_ID = "calendar-title";

type Props = {
  place: CalendarPlace;
  today: Day;
  title: string;
  go: (to: Partial<CalendarPlace>) => void;
  zone: string;
  isWide: boolean;
};

/** The visible period, with navigation. */
export function Toolbar({ place, today, title, go, zone, isWide }: Props) {
  const { view, day } = place;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex items-center gap-1">
        <Button
          look="quiet"
          aria-label={calendarWords.earlier}
          className="px-2.5"
          onClick={() => go({ day: step(view, day, -1) })}
        >
          <ChevronLeft aria-hidden className="size-5" />
        </Button>
        <Button look="quiet" aria-keyshortcuts={calendarKeys.today} onClick={() => go({ day: today })}>
          {calendarWords.today}
        </Button>
        <Button
          look="quiet"
          aria-label={calendarWords.later}
          className="px-2.5"
          onClick={() => go({ day: step(view, day, 1) })}
        >
          <ChevronRight aria-hidden className="size-5" />
        </Button>
      </div>
      <div className="min-w-0 flex-1 basis-48">
        <h2 id={TITLE_ID} tabIndex={-1} aria-live="polite" className="font-semibold text-lg leading-tight">
          {title}
        </h2>
        <p className="text-muted text-sm">{calendarWords.timesIn(zone)}</p>
      </div>
      {isWide && (
        <fieldset aria-label={calendarWords.view} className="flex rounded-lg border border-edge p-0.5">
          {views.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              aria-keyshortcuts={calendarKeys[name]}
              onClick={() => go({ view: name })}
              className="min-h-10 rounded-md px-3 text-sm hover:bg-sunk aria-pressed:bg-accent aria-pressed:font-semibold aria-pressed:text-on-accent"
            >
              {calendarWords.views[name]}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

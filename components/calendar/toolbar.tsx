"use client";
import { type ComponentProps, useEffect, useMemo, useState } from "react";
import { serverNow } from "../api/client";
import { calendarKeys } from "../palette/keys";
import type { Day } from "../time/days";
import { chosenZone, isSameClock, ownZone, zoneName } from "../time/zone";
import { Button } from "../ui/button";
import { ChevronLeft, ChevronRight } from "../ui/icons";
import { Notice } from "../ui/notice";
import type { CalendarPlace, GoInCalendar } from "./views";
import { step, views } from "./views";
import { calendarWords } from "./words";

/** The heading, which receives the focus when the focused element is gone. */
export const TITLE_ID = "calendar-title";

type Props = { place: CalendarPlace; today: Day; title: string; go: GoInCalendar };

/** The visible period, with navigation and the choice of the view. */
export function Toolbar({ place: { view, day }, today, title, go }: Props) {
  return (
    <>
      <h1
        id={TITLE_ID}
        tabIndex={-1}
        aria-live="polite"
        className="min-w-0 flex-1 text-xl leading-tight outline-none md:min-w-54 md:flex-none md:text-2xl"
      >
        <span className="sr-only">{calendarWords.title}</span>
        {title}
      </h1>
      <div className="flex items-center gap-2">
        <Step aria-label={calendarWords.earlier} onClick={() => go({ day: step(view, day, -1) })}>
          <ChevronLeft aria-hidden className="size-4" />
        </Step>
        <Step aria-keyshortcuts={calendarKeys.today} onClick={() => go({ day: today })}>
          {calendarWords.today}
        </Step>
        <Step aria-label={calendarWords.later} onClick={() => go({ day: step(view, day, 1) })}>
          <ChevronRight aria-hidden className="size-4" />
        </Step>
      </div>
      <fieldset aria-label={calendarWords.view} className="flex rounded-xl bg-sunk p-0.75 max-md:w-full">
        {views.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={view === name}
            aria-keyshortcuts={calendarKeys[name]}
            onClick={() => go({ view: name })}
            className="min-h-8 whitespace-nowrap rounded-lg px-3 font-medium text-muted text-sm hover:text-ink aria-pressed:bg-surface aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:shadow-sm max-md:min-h-11 max-md:flex-1"
          >
            {calendarWords.views[name]}
          </button>
        ))}
      </fieldset>
    </>
  );
}

function Step(props: ComponentProps<"button">) {
  return (
    <button
      type="button"
      className="inline-flex h-9 min-w-9 items-center justify-center rounded-lg border border-edge px-2 font-semibold text-sm hover:bg-sunk max-md:h-11 max-md:min-w-11"
      {...props}
    />
  );
}

const KEPT = "carillon.zone";

/** Tells the reader that the browser's time zone has changed, and that no post has moved. */
export function ZoneNotice() {
  const own = ownZone();
  const [before, setBefore] = useState(kept);
  useEffect(() => {
    if (!before && !chosenZone()) keep(own);
  }, [before, own]);
  const isSame = useMemo(() => !before || isSameClock(before, own, serverNow()), [before, own]);
  if (!before || isSame || chosenZone()) return null;
  const seen = (
    <Button
      look="quiet"
      onClick={() => {
        keep(own);
        setBefore(own);
        document.getElementById(TITLE_ID)?.focus();
      }}
    >
      {calendarWords.gotIt}
    </Button>
  );
  return (
    <Notice tone="info" action={seen}>
      {calendarWords.zoneChanged(zoneName(before), zoneName(own))}
    </Notice>
  );
}

/** Returns null if storage is forbidden; every visit is then the first. */
function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(zone: string): void {
  try {
    localStorage.setItem(KEPT, zone);
  } catch {
    // The notice appears again at the next visit.
  }
}

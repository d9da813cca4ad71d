"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { calendarKeys as keys } from "../palette/keys";
import { areSingleKeysOn } from "../palette/single-keys";
import { isWriting } from "../posts/use-undo";
import type { Day } from "../time/days";
import type { CalendarPlace } from "./use-place";
import { step, views } from "./views";

/** Single-key shortcuts: today, views, previous and next, new post; ignored while typing. */
export function useKeys(place: CalendarPlace, today: Day, go: (to: Partial<CalendarPlace>) => void) {
  const router = useRouter();
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || !areSingleKeysOn()) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const view = views.find((one) => keys[one] === key);
      if (view) go({ view });
      else if (key === keys.today) go({ day: today });
      else if (key === keys.write) router.push("/compose");
      else if (key === keys.earlier) go({ day: step(place.view, place.day, -1) });
      else if (key === keys.later) go({ day: step(place.view, place.day, 1) });
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

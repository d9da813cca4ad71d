"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { isWriting } from "../posts/use-moves";
import type { Day } from "../time/days";
import type { Place } from "./use-place";
import { step, type View } from "./view";

const keysOfViews: { [key: string]: View } = { m: "month", w: "week", d: "day", l: "list" };

/** Single keys: T today, M, W, D and L the views, ← and → a step, N a new post. */
export function useKeys(place: Place, today: Day, go: (to: Partial<Place>) => void) {
  const router = useRouter();
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      const key = event.key.toLowerCase();
      const view = keysOfViews[key];
      if (view) go({ view });
      else if (key === "t") go({ day: today });
      else if (key === "n") router.push("/compose");
      else if (key === "arrowleft") go({ day: step(place.view, place.day, -1) });
      else if (key === "arrowright") go({ day: step(place.view, place.day, 1) });
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

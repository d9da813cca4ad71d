"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import {
  remember,
  THEME_COOKIE,
  type Theme,
  themes,
  WEEK_COOKIE,
  type WeekStart,
  weekStarts,
} from "../shell/preferences";
import { firstWeekday } from "../time/days";
import { ownZone } from "../time/zone";
import { settingsWords } from "./words";

/** The choice between light and dark, for this browser. It applies at once. */
export function Appearance({ begun }: { begun: Theme }) {
  const router = useRouter();
  const [chosen, setChosen] = useState(begun);
  function choose(theme: Theme) {
    remember(THEME_COOKIE, theme);
    setChosen(theme);
    router.refresh(); // the server puts the theme on the page
  }
  const words = settingsWords.appearance;
  return (
    <section aria-labelledby="appearance">
      <h2 id="appearance" className="font-semibold text-lg">
        {words.title}
      </h2>
      <p className="mt-1 mb-3 text-muted">{words.lead}</p>
      <fieldset className="flex flex-wrap gap-3">
        <legend className="sr-only">{words.theme}</legend>
        {themes.map((theme) => (
          <label
            key={theme}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-edge bg-surface px-4 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={chosen === theme}
              onChange={() => choose(theme)}
              className="size-4 accent-(--accent)"
            />
            {words.themes[theme]}
          </label>
        ))}
      </fieldset>
    </section>
  );
}

/** The choice of the calendar's first weekday, for this browser. It applies at once. */
export function WeekStartChoice({ begun }: { begun: WeekStart | undefined }) {
  const [chosen, setChosen] = useState<number | undefined>(begun);
  // Only the browser knows the reader's region.
  useEffect(() => setChosen((now) => now ?? firstWeekday(navigator.language, ownZone())), []);
  function choose(day: WeekStart) {
    remember(WEEK_COOKIE, String(day));
    setChosen(day);
  }
  const words = settingsWords.weekStart;
  return (
    <section aria-labelledby="week-start">
      <h2 id="week-start" className="font-semibold text-lg">
        {words.title}
      </h2>
      <p className="mt-1 mb-3 text-muted">{words.lead}</p>
      <fieldset className="flex flex-wrap gap-3">
        <legend className="sr-only">{words.title}</legend>
        {weekStarts.map((day) => (
          <label
            key={day}
            className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-edge bg-surface px-4 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="week-start"
              value={day}
              checked={chosen === day}
              onChange={() => choose(day)}
              className="size-4 accent-(--accent)"
            />
            {words.days[day]}
          </label>
        ))}
      </fieldset>
    </section>
  );
}

"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { remember, THEME_COOKIE, type Theme, themes } from "../shell/preferences";
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

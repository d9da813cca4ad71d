"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useMemo, useState } from "react";
import { serverNow } from "../api/client";
import {
  remember,
  THEME_COOKIE,
  type Theme,
  themes,
  WEEK_COOKIE,
  type WeekStart,
  weekStarts,
  ZONE_COOKIE,
} from "../shell/preferences";
import { firstWeekday } from "../time/days";
import { chosenZone, deviceZone, zoneIn } from "../time/zone";
import { Button } from "../ui/button";
import { FieldError } from "../ui/input-field";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { SettingsSection } from "./section";
import { settingsWords } from "./words";

/** The choice between light and dark, for this browser. It applies at once. */
export function Appearance({ initial }: { initial: Theme }) {
  const router = useRouter();
  const [chosen, setChosen] = useState(initial);
  function choose(theme: Theme) {
    remember(THEME_COOKIE, theme);
    setChosen(theme);
    router.refresh(); // the server puts the theme on the page
  }
  const words = settingsWords.appearance;
  return (
    <SettingsSection id="appearance" title={words.title} lead={words.lead}>
      <Choice name="theme" label={words.theme} values={themes} words={words.themes} chosen={chosen} choose={choose} />
    </SettingsSection>
  );
}

type ChoiceProps<Value extends string | number> = {
  name: string;
  label: string;
  values: readonly Value[];
  words: { [value in Value]: string };
  chosen: string | number | undefined;
  choose: (value: Value) => void;
};

/** A few choices side by side, of which one is chosen. */
function Choice<Value extends string | number>({ name, label, values, words, chosen, choose }: ChoiceProps<Value>) {
  return (
    <fieldset className="flex flex-wrap gap-3">
      <legend className="sr-only">{label}</legend>
      {values.map((value) => (
        <label
          key={value}
          className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-edge bg-surface px-4 hover:bg-sunk has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => choose(value)}
            className="size-4 accent-(--accent)"
          />
          {words[value]}
        </label>
      ))}
    </fieldset>
  );
}

/** The choice of the calendar's first weekday, for this browser. It applies at once. */
export function WeekStartChoice({ initial }: { initial: WeekStart | undefined }) {
  const [chosen, setChosen] = useState<number | undefined>(initial);
  // Only the browser knows the reader's region.
  useEffect(() => setChosen((now) => now ?? firstWeekday(navigator.language, deviceZone())), []);
  function choose(day: WeekStart) {
    remember(WEEK_COOKIE, String(day));
    setChosen(day);
  }
  const words = settingsWords.weekStart;
  return (
    <SettingsSection id="week-start" title={words.title} lead={words.lead}>
      <Choice
        name="week-start"
        label={words.title}
        values={weekStarts}
        words={words.days}
        chosen={chosen}
        choose={choose}
      />
    </SettingsSection>
  );
}

/** The choice of the time zone of all times on the pages, for this browser: typed as a city or an offset, or the device's. */
export function ZoneChoice() {
  const words = settingsWords.zone;
  const isHydrated = useIsHydrated(); // the server knows neither the device's zone nor which zones the browser has
  return (
    <SettingsSection id="time-zone" title={words.title} lead={words.lead}>
      <div className="min-h-28">{isHydrated && <ZoneForm />}</div>
    </SettingsSection>
  );
}

function ZoneForm() {
  const words = settingsWords.zone;
  const zones = useMemo(() => zonesByName(serverNow()), []);
  const chosen = chosenZone();
  const [typed, setTyped] = useState(() => (chosen ? zoneIn(chosen, new Date(serverNow())) : ""));
  const [problem, setProblem] = useState<string>();

  function save(event: FormEvent) {
    event.preventDefault();
    const found = typed.trim() ? zonesLike(typed, zones) : [];
    const [zone] = found;
    if (zone && found.length === 1) use(zone);
    else setProblem(found.length === 0 ? words.notFound : words.several(found.length));
  }
  return (
    <form onSubmit={save} className="grid justify-items-start gap-2">
      <p>
        {chosen
          ? words.isChosen(zoneIn(chosen, new Date(serverNow())))
          : words.isDevice(zoneIn(deviceZone(), new Date(serverNow())))}
      </p>
      <label htmlFor="zone" className="font-medium text-sm">
        {words.field}
      </label>
      <div className="flex w-full flex-wrap gap-3">
        <input
          id="zone"
          list="zones"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setProblem(undefined);
          }}
          onFocus={({ target }) => target.select()}
          aria-invalid={problem !== undefined}
          aria-describedby={problem && "zone-problem"}
          className="min-h-11 w-full max-w-96 rounded-lg border border-edge bg-surface px-3 py-2 text-base"
        />
        <datalist id="zones">
          {[...zones.values()].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit">{words.save}</Button>
        {chosen && (
          <Button look="quiet" onClick={() => use("")}>
            {words.useDevice}
          </Button>
        )}
      </div>
      <FieldError id="zone-problem" text={problem} />
    </form>
  );
}

/** Loads the page again, so that all times are in the zone. @param zone empty for the device's */
function use(zone: string): void {
  remember(ZONE_COOKIE, zone);
  window.location.assign("/settings?saved=zone");
}

/** All zones of the browser with their names and offsets, such as `America/New York (UTC−05:00)`. */
function zonesByName(nowMs: number): Map<string, string> {
  const now = new Date(nowMs);
  return new Map(["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => [zone, zoneIn(zone, now)]));
}

/** The zones whose name contains the text; only that zone if the text is its name or its city. */
export function zonesLike(text: string, zones: Map<string, string>): string[] {
  const plain = (words: string) => words.trim().toLowerCase().replaceAll("_", " ").replaceAll("−", "-");
  const sought = plain(text);
  const found = [...zones].filter(([zone, name]) => plain(name).includes(sought) || plain(zone).includes(sought));
  const exact = found.find(([zone, name]) =>
    [plain(name), plain(zone), plain(zone.split("/").at(-1) ?? "")].includes(sought),
  );
  return (exact ? [exact] : found).map(([zone]) => zone);
}

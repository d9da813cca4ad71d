"use client";
import { useState } from "react";
import { type NoticeChoices, type Notifications, useNotifications, useSetNotifications } from "../api/settings";
import { ownZone } from "../time/zone";
import { ZoneSelect } from "../time/zone-field";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { settingsWords } from "./words";

type Words = { kind: keyof NoticeChoices; label: string; hint: string };
type Props = { words: Words[]; initial: Notifications };

/** One checkbox per kind of notice, saved when pressed. */
export function Notices({ words: kinds, initial }: Props) {
  const preferences = useNotifications(initial);
  const set = useSetNotifications();
  const isHydrated = useIsHydrated();
  // React resets a controlled checkbox unless its state changes in the same event, and the query cache updates later.
  const [pressed, setPressed] = useState<Partial<NoticeChoices>>({});
  const email = { ...preferences.email, ...pressed };
  function press(kind: keyof NoticeChoices, isOn: boolean) {
    setPressed({ ...pressed, [kind]: isOn });
    set.mutate({ email: { ...email, [kind]: isOn } }, { onError: () => setPressed({}) });
  }
  return (
    // A box that is pressed before the script runs would look changed, but not be saved.
    <fieldset disabled={!isHydrated} className="grid gap-3">
      <legend className="sr-only">{settingsWords.writesAbout}</legend>
      {kinds.map(({ kind, label, hint }) => (
        <label key={kind} className="flex min-h-11 items-start gap-3 rounded-xl border border-line bg-surface p-4">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0 accent-accent"
            checked={email[kind] === true}
            aria-describedby={`${kind}-hint`}
            onChange={({ target }) => press(kind, target.checked)}
          />
          <span>
            <span className="block font-medium">{label}</span>
            <span id={`${kind}-hint`} className="block text-muted text-sm">
              {hint}
            </span>
          </span>
        </label>
      ))}
      <Saved isSuccess={set.isSuccess} error={set.error} />
    </fieldset>
  );
}

/** Says that a choice was saved, or why not. */
function Saved({ isSuccess, error }: { isSuccess: boolean; error: Error | null }) {
  return (
    <p aria-live="polite" className={error ? "text-wrong" : "min-h-5 text-muted text-sm"}>
      {error ? settingsWords.notKept(error.message) : isSuccess ? settingsWords.kept : ""}
    </p>
  );
}

type DigestProps = { words: { label: string; hint: string }; initial: Notifications };

/** The daily digest: on or off, and its time of day. Each choice saves itself. */
export function DigestChoice({ words, initial }: DigestProps) {
  const { digest, email } = useNotifications(initial);
  const set = useSetNotifications();
  const isHydrated = useIsHydrated();
  const [chosen, setChosen] = useState<Notifications["digest"] | null>();
  const shown = chosen === undefined ? digest : (chosen ?? undefined);
  function choose(next: NonNullable<Notifications["digest"]> | null) {
    setChosen(next);
    set.mutate({ email, digest: next }, { onSettled: () => setChosen(undefined) });
  }
  return (
    <fieldset disabled={!isHydrated} className="mt-1 grid gap-3">
      <legend className="sr-only">{words.label}</legend>
      <label className="flex min-h-11 items-start gap-3 rounded-xl border border-line bg-surface p-4">
        <input
          type="checkbox"
          className="mt-1 size-5 shrink-0 accent-accent"
          checked={shown !== undefined}
          aria-describedby="digest-hint"
          onChange={({ target }) => choose(target.checked ? { time: "08:00", timeZone: ownZone() } : null)}
        />
        <span>
          <span className="block font-medium">{words.label}</span>
          <span id="digest-hint" className="block text-muted text-sm">
            {words.hint}
          </span>
        </span>
      </label>
      {shown && (
        <div className="flex flex-wrap gap-x-6 gap-y-3 px-4">
          <label className="grid gap-1 font-medium text-sm">
            {settingsWords.digest.time}
            <input
              type="time"
              required
              value={shown.time}
              onChange={({ target }) => target.value !== "" && choose({ ...shown, time: target.value })}
              className="min-h-11 rounded-lg border border-edge bg-surface px-3 py-2 font-normal text-base"
            />
          </label>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: ZoneSelect is the control */}
          <label className="grid gap-1 font-medium text-sm">
            {settingsWords.digest.zone}
            <ZoneSelect
              known={shown.timeZone}
              value={shown.timeZone}
              onChange={({ target }) => choose({ ...shown, timeZone: target.value })}
            />
          </label>
        </div>
      )}
      <Saved isSuccess={set.isSuccess} error={set.error} />
    </fieldset>
  );
}

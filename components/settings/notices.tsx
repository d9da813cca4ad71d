"use client";
import { useState } from "react";
import { type NoticeChoices, type Notifications, useNotifications, useSetNotifications } from "../api/settings";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { settingsWords } from "./words";

type Words = { kind: keyof NoticeChoices; label: string; hint: string };
type Props = { words: Words[]; begun: Notifications };

/** One checkbox per kind of notice, saved when pressed. */
export function Notices({ words: kinds, begun }: Props) {
  const preferences = useNotifications(begun);
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
      <legend className="mb-3 text-muted">{settingsWords.writesAbout}</legend>
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
      <p aria-live="polite" className={set.isError ? "text-wrong" : "text-muted text-sm"}>
        {set.isError ? settingsWords.notKept(set.error.message) : set.isSuccess ? settingsWords.kept : ""}
      </p>
    </fieldset>
  );
}

"use client";
import { useState } from "react";
import { type NoticeChoices, useNotifications, useSetNotifications } from "../api/settings";
import { LoadFailed, SkeletonRows } from "../ui/loading";
import { settingsWords } from "./words";

type Words = { kind: keyof NoticeChoices; label: string; hint: string };

/** One checkbox per kind of notice, saved when pressed. */
export function Notices({ words: kinds }: { words: Words[] }) {
  const preferences = useNotifications();
  const set = useSetNotifications();
  // React resets a controlled checkbox unless its state changes in the same event, and the query cache updates later.
  const [pressed, setPressed] = useState<Partial<NoticeChoices>>({});
  if (preferences.isPending) return <SkeletonRows label={settingsWords.loading} rows={4} height="h-16" />;
  if (!preferences.data)
    return (
      <LoadFailed text={settingsWords.couldNotLoad(preferences.error.message)} retry={() => preferences.refetch()} />
    );
  const email = { ...preferences.data.email, ...pressed };
  function press(kind: keyof NoticeChoices, isOn: boolean) {
    setPressed({ ...pressed, [kind]: isOn });
    set.mutate({ email: { ...email, [kind]: isOn } }, { onError: () => setPressed({}) });
  }
  return (
    <fieldset className="grid gap-3">
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

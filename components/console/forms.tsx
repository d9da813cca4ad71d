import type { PartnerSettings } from "@/lib/partners";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { consoleWords } from "./words";

/** The console's small forms. They work without script. */

/** Staff's form for a new partner; the response shows the credential once. */
export function NewPartner() {
  return (
    <Card className="max-w-xl">
      <h2 className="font-semibold">{consoleWords.newPartner}</h2>
      <form method="post" action="/console/new" className="mt-3 flex flex-wrap items-end gap-3">
        <label className="grid flex-1 basis-56 gap-1">
          {consoleWords.name}
          <input
            name="name"
            required
            maxLength={200}
            autoComplete="off"
            className="min-h-11 rounded-lg border border-edge bg-surface px-3"
          />
        </label>
        <Button type="submit">{consoleWords.create}</Button>
      </form>
    </Card>
  );
}

type SettingsProps = { client: string; settings: PartnerSettings };

const SWITCHES = [
  { name: "interstitial", label: consoleWords.ask, hint: consoleWords.askHow },
  { name: "hold", label: consoleWords.hold, hint: consoleWords.holdHow },
] as const;

export function SettingsForm({ client, settings }: SettingsProps) {
  return (
    <Card className="max-w-xl">
      <form method="post" action={`/console/${client}/do/settings`} className="grid gap-5">
        {SWITCHES.map(({ name, label, hint }) => (
          <div key={name} className="grid gap-1">
            <label className="flex min-h-11 items-center gap-3 font-medium">
              <input
                type="checkbox"
                name={name}
                defaultChecked={settings[name]}
                aria-describedby={`${name}-hint`}
                className="size-5 accent-(--accent)"
              />
              {label}
            </label>
            <p id={`${name}-hint`} className="text-muted text-sm">
              {hint}
            </p>
          </div>
        ))}
        <Button type="submit" className="justify-self-start">
          {consoleWords.save}
        </Button>
      </form>
    </Card>
  );
}

/** Searches the list below it. */
export function SearchForm({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <search>
      <form className="flex max-w-xl flex-wrap items-end gap-3">
        <label className="grid flex-1 basis-56 gap-1">
          {label}
          <input
            name={name}
            defaultValue={value}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="min-h-11 rounded-lg border border-edge bg-surface px-3"
          />
        </label>
        <Button type="submit" look="quiet">
          {consoleWords.find}
        </Button>
      </form>
    </search>
  );
}

import type { PartnerSettings } from "@/lib/connect";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { consoleWords } from "./words";

type Props = { client: string; settings: PartnerSettings };

const SWITCHES = [
  { name: "interstitial", label: consoleWords.ask, hint: consoleWords.askHow },
  { name: "hold", label: consoleWords.hold, hint: consoleWords.holdHow },
] as const;

export function SettingsForm({ client, settings }: Props) {
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

import type { PartnerSettings } from "@/lib/connect";
import { Button } from "../ui/button";
import { Card } from "../ui/card";

type Props = { client: string; settings: PartnerSettings };

const SWITCHES = [
  {
    name: "interstitial",
    label: "Ask before connecting",
    hint: "A connect link first shows a page that names you and the user, and goes on when the person presses its button. Whoever was sent somebody else’s link sees it there.",
  },
  {
    name: "hold",
    label: "Hold new accounts",
    hint: "A new account waits until your backend has confirmed it by POST /v1/accounts/{id}/confirm. The event account.connected tells its username; nothing is published on it before.",
  },
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
          Save
        </Button>
      </form>
    </Card>
  );
}

import { rehearsalWays } from "@/lib/connect";
import type { Platform } from "@/lib/platforms";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Sentence } from "../ui/sentence";
import { consoleWords } from "./words";

type Props = {
  client: string;
  networks: { platform: Platform; name: string }[];
  /** Whose account is connected already, where that is rehearsed. */
  person: string;
  redirectUri: string;
  platform?: Platform;
};

const FIELD = "min-h-11 w-full rounded-lg border border-edge bg-surface px-3";

/** One form, a button for each way that connecting can go: pressing it opens the connect link. */
export function RehearsalForm({ client, networks, person, redirectUri, platform }: Props) {
  return (
    <form method="post" action={`/console/${client}/do/rehearse`} className="grid gap-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="grid content-start gap-1">
          <label htmlFor="platform">{consoleWords.rehearsalForm.network}</label>
          <select id="platform" name="platform" defaultValue={platform} className={FIELD}>
            {networks.map((network) => (
              <option key={network.platform} value={network.platform}>
                {network.name}
              </option>
            ))}
          </select>
        </div>
        <div className="grid content-start gap-1">
          <label htmlFor="redirectUri">{consoleWords.rehearsalForm.redirectUri}</label>
          <input
            id="redirectUri"
            name="redirectUri"
            defaultValue={redirectUri}
            required
            autoComplete="off"
            placeholder={consoleWords.rehearsalForm.redirectUriExample}
            aria-describedby="redirectUri-hint"
            className={FIELD}
          />
          <p id="redirectUri-hint" className="text-muted text-sm">
            {consoleWords.rehearsalForm.redirectUriHint}
          </p>
        </div>
      </div>
      <ul className="grid gap-3 lg:grid-cols-2">
        {Object.entries(rehearsalWays).map(([way, { title, does, ends, ...more }]) => (
          <li key={way}>
            <Card className="flex h-full flex-wrap items-center justify-between gap-3">
              <div className="min-w-0 flex-1 basis-56">
                <h2 className="font-semibold">{title}</h2>
                <p className="text-muted text-sm">{does}</p>
                {"arranged" in more && more.arranged === "in use" && (
                  <p className="text-sm">
                    <Sentence text={consoleWords.rehearsalForm.nameToType} parts={{ name: <code>{person}</code> }} />
                  </p>
                )}
                <p className="text-muted text-sm">{consoleWords.rehearsalForm.endsAs(ends)}</p>
              </div>
              <Button
                type="submit"
                look="quiet"
                name="way"
                value={way}
                aria-label={consoleWords.rehearsalForm.rehearseOne(title)}
              >
                {consoleWords.rehearsalForm.rehearse}
              </Button>
            </Card>
          </li>
        ))}
      </ul>
    </form>
  );
}

import type { ConnectTrace, RehearsalLink } from "@/lib/connect";
import type { Platform } from "@/lib/platforms";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Notice } from "../ui/notice";
import { Sentence } from "../ui/sentence";
import { Attempts } from "./attempts";
import { consoleWords } from "./words";

type FormProps = {
  client: string;
  networks: { platform: Platform; name: string }[];
  links: readonly RehearsalLink[];
  /** The simulated person whose account belongs to another test user. */
  person: string;
  redirectUri: string;
};

const FIELD = "min-h-11 w-full rounded-lg border border-edge bg-surface px-3";
const words = consoleWords.rehearsalForm;

/** One form with a button for each kind of link. The button opens the link in this browser. */
export function RehearsalForm({ client, networks, links, person, redirectUri }: FormProps) {
  return (
    <form method="post" action={`/console/${client}/do/rehearse`} className="grid gap-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="grid content-start gap-1">
          <label htmlFor="platform">{words.network}</label>
          <select id="platform" name="platform" className={FIELD}>
            {networks.map(({ platform, name }) => (
              <option key={platform} value={platform}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="grid content-start gap-1">
          <label htmlFor="redirectUri">{words.redirectUri}</label>
          <input
            id="redirectUri"
            name="redirectUri"
            defaultValue={redirectUri}
            required
            autoComplete="off"
            placeholder={words.redirectUriExample}
            aria-describedby="redirectUri-hint"
            className={FIELD}
          />
          <p id="redirectUri-hint" className="text-muted text-sm">
            {words.redirectUriHint}
          </p>
        </div>
      </div>
      <ul className="grid gap-3 lg:grid-cols-2">
        {links.map((link) => {
          const { title, steps } = words.links[link];
          return (
            <li key={link}>
              <Card className="flex h-full flex-wrap items-center justify-between gap-3">
                <div className="min-w-0 flex-1 basis-56">
                  <h2 className="font-semibold">{title}</h2>
                  <p className="text-muted text-sm">
                    <Sentence text={steps} parts={{ name: <code>{person}</code> }} />
                  </p>
                </div>
                <Button type="submit" look="quiet" name="link" value={link} aria-label={words.rehearseOne(title)}>
                  {words.rehearse}
                </Button>
              </Card>
            </li>
          );
        })}
      </ul>
    </form>
  );
}

type ResultProps = {
  /** The partner's redirectUri, if the browser has just returned from a connect that succeeded. */
  redirectUri: string;
  traces: ConnectTrace[];
};

/** What the partner's redirectUri would have received, and the latest attempts of the test users. */
export function RehearsalResult({ redirectUri, traces }: ResultProps) {
  return (
    <section className="grid gap-4" aria-labelledby="results">
      <h2 id="results" className="font-semibold text-lg">
        {words.results}
      </h2>
      {redirectUri && (
        <Notice tone="good">
          <Sentence text={words.connected} parts={{ request: <code>GET {redirectUri}</code> }} />
        </Notice>
      )}
      <p className="text-muted text-sm">{words.whenItFails}</p>
      <Attempts traces={traces} empty={words.noResults} />
    </section>
  );
}

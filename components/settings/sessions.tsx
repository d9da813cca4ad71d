import type { ListedSession } from "@/lib/users";
import { utc } from "../console/table";
import { Button, buttonClass } from "../ui/button";
import { SettingsSection } from "./section";
import { settingsWords } from "./words";

type Props = { sessions: ListedSession[]; currentId: string };

/** The person's sessions, the current one first, and the way to a new password. Works without script. */
export function Sessions({ sessions, currentId }: Props) {
  const ordered = [...sessions].sort((a, b) => Number(b.id === currentId) - Number(a.id === currentId));
  return (
    <SettingsSection id="sessions" title={settingsWords.sessions.title} lead={settingsWords.sessions.lead}>
      <ul className="grid gap-2">
        {ordered.map((session) => (
          <Item key={session.id} session={session} isCurrent={session.id === currentId} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-3">
        {sessions.length > 1 && (
          <form method="post" action="/settings/sessions">
            <Button type="submit" look="danger">
              {settingsWords.sessions.endOthers}
            </Button>
          </form>
        )}
        <a href="/settings/password" className={buttonClass("quiet")}>
          {settingsWords.sessions.changePassword}
        </a>
      </div>
    </SettingsSection>
  );
}

function Item({ session, isCurrent }: { session: ListedSession; isCurrent: boolean }) {
  const { id, userAgent, address, createdAt, lastUsedAt } = session;
  const browser = browserName(userAgent) ?? settingsWords.sessions.unknownBrowser;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-surface px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">
          {browser}
          {isCurrent && <span className="ml-2 text-accent text-sm">{settingsWords.sessions.thisOne}</span>}
        </p>
        <p className="text-muted text-sm">{settingsWords.sessions.startAndUse(utc(createdAt), utc(lastUsedAt))}</p>
        {address && <p className="text-muted text-sm">{settingsWords.sessions.from(address)}</p>}
      </div>
      {!isCurrent && (
        <form method="post" action="/settings/sessions">
          <input type="hidden" name="session" value={id} />
          <Button type="submit" look="quiet" aria-label={settingsWords.sessions.endOne(browser)}>
            {settingsWords.sessions.end}
          </Button>
        </form>
      )}
    </li>
  );
}

/** Names in the order of preference: Edge and Opera also call themselves Chrome, and Chrome also calls itself Safari. */
const BROWSERS: [mark: string, name: string][] = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];
const SYSTEMS: [mark: string, name: string][] = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];

/** Returns a `User-Agent` header as people say it, such as `Firefox · Linux`. Undefined if it names no known browser. */
export function browserName(userAgent = ""): string | undefined {
  const nameIn = (known: [string, string][]) => known.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return browser && system ? `${browser} · ${system}` : (browser ?? system);
}

import type { Metadata } from "next";
import { cookies } from "next/headers";
import { utc } from "@/components/console/table";
import { type Query, textIn } from "@/components/developers/query";
import { feedWords } from "@/components/feeds/words";
import { signedInSession } from "@/components/session/signed-in";
import { Appearance, WeekStartChoice, ZoneChoice } from "@/components/settings/appearance";
import { FactorsSection } from "@/components/settings/factors";
import { DigestChoice, Notices } from "@/components/settings/notices";
import { QuietHoursForm } from "@/components/settings/quiet-hours";
import { LinkSection, SettingsSection, Usage } from "@/components/settings/section";
import { Sessions } from "@/components/settings/sessions";
import { settingsWords } from "@/components/settings/words";
import { THEME_COOKIE, themeIn, WEEK_COOKIE, weekStartIn } from "@/components/shell/preferences";
import { Button } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Sentence } from "@/components/ui/sentence";
import { webhookWords } from "@/components/webhooks/words";
import { usageOf } from "@/lib/api";
import { env } from "@/lib/env";
import { listStoredMails, noticeWords, presentNotifications, type StoredMail } from "@/lib/mail";
import { findCalendarAddress } from "@/lib/schedules";
import { withZulu } from "@/lib/time/instant";
import { factorsOf, hasPasskeys, listSessions } from "@/lib/users";

export const metadata: Metadata = { title: settingsWords.page.settings };

export default async function SettingsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const query = await searchParams;
  const [problem, saved] = [textIn(query, "problem", 300), textIn(query, "saved", 4)];
  const session = await signedInSession("/settings");
  const { user } = session;
  const kept = await cookies();
  const notifications = await presentNotifications(user.id);
  const kinds = noticeWords();
  const notices = kinds.flatMap(({ kind, label, hint }) => (kind === "dailyDigest" ? [] : [{ kind, label, hint }]));
  const digest = kinds.find(({ kind }) => kind === "dailyDigest");
  return (
    <>
      <PageHeading title={settingsWords.page.settings} lead={settingsWords.page.signedInAs(user.email)} />
      {problem && (
        <Notice tone="wrong" className="mb-6">
          {problem}
        </Notice>
      )}
      {saved && (
        <Notice tone="good" className="mb-6">
          {settingsWords.kept}
        </Notice>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-8 lg:grid-cols-[12rem_minmax(0,47.5rem)]">
        <SideNav />
        <div className="grid min-w-0 gap-12">
          <ProfileSection name={user.name} email={user.email} />
          <Sessions sessions={await listSessions(user.id)} currentId={session.id} />
          <FactorsSection factors={await factorsOf(user.id)} hasPasskeys={hasPasskeys} />
          <LinkSection
            id="applications"
            title={settingsWords.applications.title}
            lead={settingsWords.applications.lead}
            href="/settings/applications"
            label={settingsWords.applications.open}
          />
          <Appearance initial={themeIn(kept.get(THEME_COOKIE)?.value)} />
          <ZoneChoice />
          <WeekStartChoice initial={weekStartIn(kept.get(WEEK_COOKIE)?.value)} />
          <SettingsSection id="notices" title={settingsWords.page.email}>
            <Notices words={notices} initial={notifications} />
            {digest && <DigestChoice words={digest} initial={notifications} />}
            <QuietHoursForm initial={notifications} />
          </SettingsSection>
          <LinkSection id="feeds" title={feedWords.title} lead={feedWords.lead} href="/feeds" label={feedWords.yours} />
          <LinkSection
            id="developers"
            title={settingsWords.page.forDevelopers}
            lead={settingsWords.page.forDevelopersLead}
            href="/webhooks"
            label={webhookWords.page.webhooks}
          />
          <CalendarSection address={await findCalendarAddress(user.id)} />
          <Usage usage={await usageOf(user.id)} />
          {!env.smtpUrl && <StoredMails mails={await listStoredMails(user.id)} />}
          <DataSection email={user.email} />
        </div>
      </div>
    </>
  );
}

const places = [
  ["profile", settingsWords.profile.title],
  ["sessions", settingsWords.page.security],
  ["applications", settingsWords.applications.title],
  ["appearance", settingsWords.appearance.title],
  ["time-zone", settingsWords.page.timeAndWeek],
  ["notices", settingsWords.page.email],
  ["feeds", feedWords.title],
  ["developers", settingsWords.page.forDevelopers],
  ["calendar-address", settingsWords.calendarAddress.title],
  ["usage", settingsWords.usage.title],
  ...(env.smtpUrl ? [] : [["stored-mail", settingsWords.page.yourMail] as const]),
  ["data", settingsWords.data.title],
] as const;

/** Leads to the sections of the page. */
function SideNav() {
  return (
    <nav aria-label={settingsWords.page.sections} className="lg:sticky lg:top-6">
      <ul className="-mx-3 flex overflow-x-auto whitespace-nowrap text-sm [scrollbar-width:none] lg:mx-0 lg:grid lg:gap-1">
        {places.map(([id, label]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center rounded-lg px-3 text-muted hover:bg-sunk hover:text-ink focus-visible:-outline-offset-3 lg:min-h-9"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Creates the secret address for calendar programs, which is then shown on a page of its own. Works without script. */
function CalendarSection({ address }: { address: { createdAt: string } | undefined }) {
  const words = settingsWords.calendarAddress;
  return (
    <SettingsSection id="calendar-address" title={words.title} lead={words.lead}>
      <p className="mb-3">{address ? words.since(utc(withZulu(address.createdAt))) : words.none}</p>
      <div className="flex flex-wrap gap-3">
        <form method="post" action="/settings/do/new-calendar-address">
          <Button type="submit" look="quiet" aria-describedby={address ? "calendar-address-means" : undefined}>
            {address ? words.replace : words.create}
          </Button>
        </form>
        {address && (
          <form method="post" action="/settings/do/remove-calendar-address">
            <Button type="submit" look="quiet">
              {words.remove}
            </Button>
          </form>
        )}
      </div>
      {address && (
        <p id="calendar-address-means" className="mt-2 text-muted text-sm">
          {words.replaceMeans}
        </p>
      )}
    </SettingsSection>
  );
}

/** The person's name and address. Works without script. */
function ProfileSection({ name, email }: { name: string; email: string }) {
  const words = settingsWords.profile;
  return (
    <SettingsSection id="profile" title={words.title}>
      <form method="post" action="/settings/do/change-name" className="flex flex-wrap items-end gap-3">
        <label className="grid flex-1 basis-56 gap-1 text-sm">
          <span className="font-medium">{words.name}</span>
          <input
            name="name"
            defaultValue={name}
            required
            maxLength={200}
            autoComplete="name"
            className="min-h-11 rounded-lg border border-edge bg-surface px-3 py-2 text-base"
          />
        </label>
        <Button type="submit" look="quiet">
          {words.save}
        </Button>
      </form>
      <p className="mt-3 text-sm">
        <span className="block font-medium">{words.email}</span>
        <span className="wrap-anywhere text-muted">{email}</span>
      </p>
    </SettingsSection>
  );
}

/** The export of everything that is stored, and the end of the account. Works without script. */
function DataSection({ email }: { email: string }) {
  const words = settingsWords.data;
  return (
    <SettingsSection id="data" title={words.title} lead={words.exportLead}>
      <form method="post" action="/settings/do/export-data">
        <Button type="submit" look="quiet">
          {words.export}
        </Button>
      </form>
      <p className="mt-6 mb-3 text-muted">{words.deleteLead}</p>
      <form method="post" action="/settings/do/delete-account" className="grid justify-items-start gap-3">
        <label className="grid gap-1 text-sm">
          <span className="font-medium">{words.confirm(email)}</span>
          <input
            type="email"
            name="email"
            required
            autoComplete="off"
            className="min-h-11 w-80 max-w-full rounded-lg border border-edge bg-surface px-3 py-2 text-base"
          />
        </label>
        <Button type="submit" look="danger">
          {words.delete}
        </Button>
      </form>
    </SettingsSection>
  );
}

/** The stored mails, if no mail server is configured. */
function StoredMails({ mails }: { mails: StoredMail[] }) {
  return (
    <SettingsSection
      id="stored-mail"
      title={settingsWords.page.yourMail}
      lead={<Sentence text={settingsWords.page.mailKept} parts={{ setting: <code>SMTP_URL</code> }} />}
    >
      {mails.length === 0 && <p className="text-muted">{settingsWords.page.noMail}</p>}
      <ul className="grid gap-2">
        {mails.map(({ id, subject, createdAt }) => (
          <li key={id}>
            <Link
              href={`/mail/${id}`}
              className="flex min-h-11 flex-wrap items-baseline justify-between gap-x-4 rounded-xl border border-line bg-surface px-4 py-3 hover:bg-sunk"
            >
              <span className="font-medium text-accent underline">{subject}</span>
              <time dateTime={withZulu(createdAt)} className="text-muted text-sm">
                {utc(createdAt)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}

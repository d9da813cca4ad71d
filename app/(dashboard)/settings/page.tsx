import type { Metadata } from "next";
import { cookies } from "next/headers";
import { type Query, textIn } from "@/components/developers/query";
import { signedInSession } from "@/components/session/signed-in";
import { Appearance, WeekStartChoice, ZoneChoice } from "@/components/settings/appearance";
import { FactorsSection } from "@/components/settings/factors";
import { DigestChoice, Notices } from "@/components/settings/notices";
import { QuietHoursForm } from "@/components/settings/quiet-hours";
import { Sessions } from "@/components/settings/sessions";
import { Usage } from "@/components/settings/usage";
import { settingsWords } from "@/components/settings/words";
import { THEME_COOKIE, themeIn, WEEK_COOKIE, weekStartIn } from "@/components/shell/preferences";
import { Button, buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Sentence } from "@/components/ui/sentence";
import { webhookWords } from "@/components/webhooks/words";
import { usageOf } from "@/lib/api";
import { env } from "@/lib/env";
import { listStoredMails, noticeWords, presentNotifications, type StoredMail } from "@/lib/mail";
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
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[12rem_minmax(0,47.5rem)]">
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
          <Appearance begun={themeIn(kept.get(THEME_COOKIE)?.value)} />
          <ZoneChoice />
          <WeekStartChoice begun={weekStartIn(kept.get(WEEK_COOKIE)?.value)} />
          <section aria-labelledby="notices">
            <h2 id="notices" className="mb-1 font-semibold text-lg">
              {settingsWords.page.email}
            </h2>
            <Notices words={notices} begun={notifications} />
            {digest && <DigestChoice words={digest} begun={notifications} />}
            <QuietHoursForm begun={notifications} />
          </section>
          <LinkSection
            id="developers"
            title={settingsWords.page.forDevelopers}
            lead={settingsWords.page.forDevelopersLead}
            href="/webhooks"
            label={webhookWords.page.webhooks}
          />
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
  ["notices", settingsWords.page.email],
  ["usage", settingsWords.usage.title],
  ["data", settingsWords.data.title],
] as const;

/** Leads to the sections of the page. */
function SideNav() {
  return (
    <nav aria-label={settingsWords.page.sections} className="lg:sticky lg:top-6">
      <ul className="flex flex-wrap gap-1 lg:grid">
        {places.map(([id, label]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center rounded-lg px-3 text-muted hover:bg-sunk hover:text-ink lg:min-h-9"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The person's name and address. Works without script. */
function ProfileSection({ name, email }: { name: string; email: string }) {
  const words = settingsWords.profile;
  return (
    <section aria-labelledby="profile">
      <h2 id="profile" className="mb-3 font-semibold text-lg">
        {words.title}
      </h2>
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
    </section>
  );
}

/** The export of everything that is stored, and the end of the account. Works without script. */
function DataSection({ email }: { email: string }) {
  const words = settingsWords.data;
  return (
    <section aria-labelledby="data">
      <h2 id="data" className="font-semibold text-lg">
        {words.title}
      </h2>
      <p className="mt-1 mb-3 text-muted">{words.exportLead}</p>
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
    </section>
  );
}

/** The stored mails, if no mail server is configured. */
function StoredMails({ mails }: { mails: StoredMail[] }) {
  return (
    <section aria-labelledby="stored-mail">
      <h2 id="stored-mail" className="font-semibold text-lg">
        {settingsWords.page.yourMail}
      </h2>
      <p className="mt-1 mb-3 text-muted">
        <Sentence text={settingsWords.page.mailKept} parts={{ setting: <code>SMTP_URL</code> }} />
      </p>
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
                {settingsWords.page.utc(withZulu(createdAt).slice(0, 16).replace("T", " "))}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

type LinkSectionProps = { id: string; title: string; lead: string; href: string; label: string };

/** A section that links to a page of its own. */
function LinkSection({ id, title, lead, href, label }: LinkSectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      <p className="mt-1 mb-3 text-muted">{lead}</p>
      <Link href={href} className={buttonClass("quiet")}>
        {label}
      </Link>
    </section>
  );
}

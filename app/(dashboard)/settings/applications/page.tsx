import type { Metadata } from "next";
import { utc } from "@/components/console/table";
import { Hidden } from "@/components/developers/fields";
import { whoRegistered } from "@/components/plain/consent";
import { plainWords } from "@/components/plain/words";
import { signedIn } from "@/components/session/signed-in";
import { settingsWords } from "@/components/settings/words";
import { Button, buttonClass } from "@/components/ui/button";
import { Card, PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { type AllowedApplication, isApplicationScope, listAllowedApplications } from "@/lib/oauth";

const words = settingsWords.applications;

export const metadata: Metadata = { title: words.title };

type Props = { searchParams: Promise<{ revoked?: string | string[] }> };

/** The applications that the user has allowed, each with a button that revokes it. */
export default async function ApplicationsPage({ searchParams }: Props) {
  const user = await signedIn("/settings/applications");
  const applications = await listAllowedApplications(user.id);
  const { revoked } = await searchParams;
  return (
    <>
      <PageHeading title={words.title} lead={words.lead} />
      <div className="grid max-w-2xl gap-4">
        {revoked && <Notice tone="good">{words.revoked}</Notice>}
        {applications.length === 0 && <p className="text-muted">{words.none}</p>}
        {applications.map((application) => (
          <Application key={application.clientId} application={application} />
        ))}
        <Link href="/settings" className={buttonClass("quiet", "justify-self-start")}>
          {words.back}
        </Link>
      </div>
    </>
  );
}

function Application({ application }: { application: AllowedApplication }) {
  const { clientId, name, registrar, scopes, allowedAt, firstUsedAt, lastUsedAt } = application;
  const facts = [
    { label: words.registeredBy, value: whoRegistered(registrar) },
    { label: words.allowed, value: utc(allowedAt) },
    { label: words.firstUse, value: firstUsedAt ? utc(firstUsedAt) : words.notUsed },
    { label: words.lastUse, value: lastUsedAt ? utc(lastUsedAt) : words.notUsed },
  ];
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="wrap-anywhere min-w-0 flex-1 basis-48 font-semibold text-lg">{name}</h2>
        <form method="post" action="/settings/applications/revoke">
          <Hidden values={{ client: clientId }} />
          <Button type="submit" look="danger" aria-label={words.revokeNamed(name)}>
            {words.revoke}
          </Button>
        </form>
      </div>
      <ul className="grid list-disc gap-1 pl-5">
        {scopes.filter(isApplicationScope).map((scope) => (
          <li key={scope}>{plainWords.consent.scopes[scope]}</li>
        ))}
      </ul>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {facts.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

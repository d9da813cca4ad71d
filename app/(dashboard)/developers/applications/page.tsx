import type { Metadata } from "next";
import { utc } from "@/components/console/table";
import { ApplicationForm } from "@/components/developers/forms";
import { DevelopersFrame } from "@/components/developers/frame";
import { type Query, textIn } from "@/components/developers/query";
import { developerWords } from "@/components/developers/words";
import { signedIn } from "@/components/session/signed-in";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { listOwnApplications } from "@/lib/oauth";

export const metadata: Metadata = { title: developerWords.pages.applications };

/** The user's applications, and a form for a new one. */
export default async function ApplicationsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const user = await signedIn("/developers/applications");
  const [applications, query] = [await listOwnApplications(user.id), await searchParams];
  const problem = textIn(query, "problem");
  return (
    <DevelopersFrame
      title={developerWords.pages.applications}
      here="/developers/applications"
      lead={developerWords.pages.applicationsLead}
      isSplit
    >
      <section aria-label={developerWords.pages.yourApplications} className="grid gap-3">
        {applications.length === 0 && <p className="text-muted">{developerWords.pages.none}</p>}
        {applications.map(({ clientId, name, isPublic, suspendedAt, createdAt }) => (
          <Card key={clientId}>
            <Link href={`/developers/applications/${clientId}`} className="font-medium text-accent underline">
              {name}
            </Link>
            <p className="mt-1 text-muted text-sm">
              <code className="break-all">{clientId}</code> ·{" "}
              {isPublic
                ? developerWords.pages.withoutSecret(utc(createdAt))
                : developerWords.pages.withSecret(utc(createdAt))}
            </p>
            {suspendedAt && <p className="mt-1 text-sm text-warn">{developerWords.pages.suspended}</p>}
          </Card>
        ))}
      </section>
      <section aria-labelledby="new" className="grid gap-3">
        <h2 id="new" className="font-semibold text-lg">
          {developerWords.pages.newApplication}
        </h2>
        {problem && <Notice tone="wrong">{problem}</Notice>}
        <Card>
          <ApplicationForm name={textIn(query, "name")} redirectUris={textIn(query, "redirectUris", 2_000)} />
        </Card>
      </section>
    </DevelopersFrame>
  );
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Hidden } from "@/components/developers/fields";
import { ApplicationForm, ApplicationSecrets } from "@/components/developers/forms";
import { DevelopersFrame } from "@/components/developers/frame";
import { type Query, textIn } from "@/components/developers/query";
import { developerWords } from "@/components/developers/words";
import { signedIn } from "@/components/session/signed-in";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { NotFound } from "@/lib/errors";
import { type Application, getOwnApplication, listLiveSecrets } from "@/lib/oauth";

export const metadata: Metadata = { title: developerWords.pages.application };

type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

/** One application: its id, name and redirect URIs, its secrets, and its deletion. */
export default async function ApplicationPage({ params, searchParams }: Props) {
  const [{ client }, query] = [await params, await searchParams];
  const user = await signedIn(`/developers/applications/${client}`);
  const application = await own(user.id, client);
  const { clientId, name, isPublic, suspendedAt } = application;
  const problem = textIn(query, "problem");
  return (
    <DevelopersFrame title={name} here="/developers/applications" lead={developerWords.pages.applicationLead}>
      {problem && <Notice tone="wrong">{problem}</Notice>}
      {textIn(query, "saved") && <Notice tone="good">{developerWords.pages.saved}</Notice>}
      {suspendedAt && <Notice tone="warn">{developerWords.pages.suspendedWhat}</Notice>}
      <dl className="grid gap-1">
        <dt className="text-muted text-sm">{developerWords.pages.clientId}</dt>
        <dd>
          <code className="select-all break-all rounded bg-sunk px-2 py-1">{clientId}</code>
        </dd>
      </dl>
      <Card>
        <ApplicationForm client={clientId} {...typedOr(query, problem !== "", application)} />
      </Card>
      {isPublic ? (
        <p className="text-muted">{developerWords.pages.isPublic}</p>
      ) : (
        <ApplicationSecrets client={clientId} secrets={await listLiveSecrets(clientId)} />
      )}
      <details className="rounded-2xl border border-line bg-surface px-5 py-2.5">
        <summary className="min-h-11 content-center font-semibold text-wrong">{developerWords.pages.remove}</summary>
        <p className="mt-3 mb-4">{developerWords.pages.removeWhat}</p>
        <form method="post" action="/developers/do/delete-application" className="pb-2.5">
          <Hidden values={{ client: clientId }} />
          <Button type="submit" look="danger">
            {developerWords.pages.removeForGood(name)}
          </Button>
        </form>
      </details>
    </DevelopersFrame>
  );
}

/** The entered value if it was refused, otherwise the stored one. */
function typedOr(query: Query, isRefused: boolean, { name, redirectUris }: Application) {
  if (!isRefused) return { name, redirectUris: redirectUris.join("\n") };
  return { name: textIn(query, "name"), redirectUris: textIn(query, "redirectUris", 2_000) };
}

async function own(userId: string, client: string): Promise<Application> {
  try {
    return await getOwnApplication(userId, client);
  } catch (error) {
    if (error instanceof NotFound) notFound();
    throw error;
  }
}

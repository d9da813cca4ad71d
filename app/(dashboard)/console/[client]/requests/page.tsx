import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { SearchForm } from "@/components/console/forms";
import { ConsoleFrame } from "@/components/console/frame";
import { consoleWords } from "@/components/console/words";
import { numberIn, type Query, textIn, withQuery } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { buttonClass } from "@/components/ui/button";
import { listRequests } from "@/lib/api";

export const metadata: Metadata = { title: consoleWords.pages.requests };

type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

const LIMIT = 50;

/** Recent API requests of a partner. */
export default async function PartnerRequestsPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/requests");
  const query = await searchParams;
  const id = textIn(query, "id", 60).trim();
  const filter = { limit: LIMIT, before: numberIn(query, "before"), requestId: id || undefined };
  const { items, next } = await listRequests({ partnerId: partner.id }, filter);
  return (
    <ConsoleFrame partner={partner} here="/requests" lead={consoleWords.pages.requestsLead}>
      <SearchForm label={consoleWords.pages.requestId} name="id" value={id} />
      <RequestList requests={items} empty={id ? consoleWords.pages.noSuchRequest : consoleWords.pages.noRequests} />
      {next && (
        <a href={withQuery({ id, before: next })} className={buttonClass("quiet", "justify-self-start")}>
          {consoleWords.pages.older}
        </a>
      )}
    </ConsoleFrame>
  );
}

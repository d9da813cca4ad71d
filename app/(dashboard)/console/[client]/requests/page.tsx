import type { Metadata } from "next";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { SearchForm } from "@/components/console/search-form";
import { numberIn, type Query, textIn, withQuery } from "@/components/developers/query";
import { RequestList } from "@/components/developers/request-list";
import { buttonClass } from "@/components/ui/button";
import { listRequests } from "@/lib/api";

export const metadata: Metadata = { title: "Requests" };

type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

const LIMIT = 50;

/** What a partner's servers asked of the API lately. */
export default async function PartnerRequestsPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/requests");
  const query = await searchParams;
  const id = textIn(query, "id", 60).trim();
  const wish = { limit: LIMIT, before: numberIn(query, "before"), requestId: id || undefined };
  const { items, next } = await listRequests({ partnerId: partner.id }, wish);
  const lead = "What your servers asked in the last seven days; of bursts a part, what failed first.";
  return (
    <ConsoleFrame partner={partner} here="/requests" lead={lead}>
      <SearchForm label="Request id, as X-Request-Id says it" name="id" value={id} />
      <RequestList requests={items} empty={id ? "No such request in the last seven days." : "Nothing yet."} />
      {next && (
        <a href={withQuery({ id, before: next })} className={buttonClass("quiet", "justify-self-start")}>
          Show older ones
        </a>
      )}
    </ConsoleFrame>
  );
}

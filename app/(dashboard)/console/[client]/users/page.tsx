import type { Metadata } from "next";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { fromPlace, toPlace } from "@/components/console/place";
import { SearchForm } from "@/components/console/search-form";
import { Table } from "@/components/console/table";
import { utc } from "@/components/console/when";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import * as words from "@/components/words/app-console";
import { consoleUsers } from "@/lib/connect";

export const metadata: Metadata = { title: words.users };

type Query = { q?: string | string[]; after?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

const LIMIT = 50;

/** A partner's end-users, newest first. */
export default async function UsersPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/users");
  const { q, after } = await searchParams;
  const search = typeof q === "string" ? q.trim().replaceAll("\0", "") : "";
  const { items, next } = await consoleUsers(partner.id, { limit: LIMIT, search, after: toPlace(after) });
  const rows = items.map(({ id, externalUserId, name, createdAt, accounts, unwell, suspended, deleting }) => ({
    key: id,
    cells: [
      <Link key="id" href={`/console/${partner.clientId}/users/${id}`} className="text-accent underline">
        {externalUserId}
      </Link>,
      name,
      unwell > 0 ? words.accountsUnwell(accounts, unwell) : String(accounts),
      deleting ? words.beingDeleted : suspended ? words.suspended : words.active,
      utc(createdAt),
    ],
  }));
  return (
    <ConsoleFrame partner={partner} here="/users" lead={words.usersLead}>
      <SearchForm label={words.ownId} name="q" value={search} />
      <Table
        caption={words.users}
        head={words.usersHead}
        rows={rows}
        empty={search ? words.nobodyLikeThis : words.nobodyYet}
      />
      {next && (
        <Link href={`?after=${fromPlace(next)}`} className={buttonClass("quiet", "justify-self-start")}>
          {words.older}
        </Link>
      )}
    </ConsoleFrame>
  );
}

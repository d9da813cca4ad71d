import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { SearchForm } from "@/components/console/forms";
import { ConsoleFrame } from "@/components/console/frame";
import { parseCursor, Table, toCursor, utc } from "@/components/console/table";
import { consoleWords } from "@/components/console/words";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { listConsoleUsers } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.users };

type Query = { q?: string | string[]; after?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

const LIMIT = 50;

/** A partner's users, newest first. */
export default async function UsersPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/users");
  const { q, after } = await searchParams;
  const search = typeof q === "string" ? q.trim().replaceAll("\0", "") : "";
  const { items, next } = await listConsoleUsers(partner.id, { limit: LIMIT, search, after: parseCursor(after) });
  const rows = items.map(
    ({ id, externalUserId, name, createdAt, accounts, accountsToReconnect: unwell, suspended, deleting }) => ({
      key: id,
      cells: [
        <Link key="id" href={`/console/${partner.clientId}/users/${id}`} className="text-accent underline">
          {externalUserId}
        </Link>,
        name,
        unwell > 0 ? consoleWords.pages.accountsUnwell(accounts, unwell) : String(accounts),
        deleting
          ? consoleWords.pages.beingDeleted
          : suspended
            ? consoleWords.pages.suspended
            : consoleWords.pages.active,
        utc(createdAt),
      ],
    }),
  );
  return (
    <ConsoleFrame partner={partner} here="/users" lead={consoleWords.pages.usersLead}>
      <SearchForm label={consoleWords.pages.ownId} name="q" value={search} />
      <Table
        caption={consoleWords.pages.users}
        head={consoleWords.pages.usersHead}
        rows={rows}
        empty={search ? consoleWords.pages.nobodyLikeThis : consoleWords.pages.nobodyYet}
      />
      {next && (
        <Link href={`?after=${toCursor(next)}`} className={buttonClass("quiet", "justify-self-start")}>
          {consoleWords.pages.older}
        </Link>
      )}
    </ConsoleFrame>
  );
}

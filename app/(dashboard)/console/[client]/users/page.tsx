import type { Metadata } from "next";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { fromPlace, toPlace } from "@/components/console/place";
import { SearchForm } from "@/components/console/search-form";
import { Table } from "@/components/console/table";
import { utc } from "@/components/console/when";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { consoleUsers } from "@/lib/connect";

export const metadata: Metadata = { title: "End-users" };

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
      unwell > 0 ? `${accounts}, ${unwell} to be connected again` : String(accounts),
      deleting ? "Being deleted" : suspended ? "Suspended" : "Active",
      utc(createdAt),
    ],
  }));
  return (
    <ConsoleFrame partner={partner} here="/users" lead="Whom the partner provisioned.">
      <SearchForm label="Your own id of the user" name="q" value={search} />
      <Table
        caption="End-users"
        head={["Your id", "Name", "Accounts", "State", "Since"]}
        rows={rows}
        empty={search ? "Nobody has this id." : "Nobody yet: POST /v1/connect/users provisions the first one."}
      />
      {next && (
        <Link href={`?after=${fromPlace(next)}`} className={buttonClass("quiet", "justify-self-start")}>
          Show older ones
        </Link>
      )}
    </ConsoleFrame>
  );
}

import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NewPartner } from "@/components/console/new-partner";
import { Table } from "@/components/console/table";
import { utc } from "@/components/console/when";
import { signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import * as words from "@/components/words/app-console";
import { partnersOf } from "@/lib/connect";

export const metadata: Metadata = { title: words.partners };

/** The partners whose console a person may see; for everybody else there is no such page. */
export default async function ConsolePage() {
  const user = await signedIn("/console");
  const partners = user.suspended ? [] : await partnersOf(user);
  const isStaff = user.role === "staff" && !user.suspended;
  if (partners.length === 0 && !isStaff) notFound();
  const rows = partners.map(({ id, clientId, name, suspendedAt, createdAt }) => ({
    key: id,
    cells: [
      <Link key="name" href={`/console/${clientId}`} className="text-accent underline">
        {name}
      </Link>,
      <code key="id">{clientId}</code>,
      suspendedAt ? words.suspended : words.active,
      utc(createdAt),
    ],
  }));
  return (
    <>
      <PageHeading title={words.partners} lead={words.partnersLead} />
      <div className="grid gap-8">
        <Table caption={words.partners} head={words.partnersHead} rows={rows} empty={words.noPartners} />
        {isStaff && <NewPartner />}
      </div>
    </>
  );
}

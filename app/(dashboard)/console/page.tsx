import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { NewPartner } from "@/components/console/forms";
import { Table, utc } from "@/components/console/table";
import { consoleWords } from "@/components/console/words";
import { STAFF_LOCKED, signedIn } from "@/components/session/signed-in";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { listVisiblePartners } from "@/lib/partners";
import { lacksStaffFactor } from "@/lib/users";

export const metadata: Metadata = { title: consoleWords.pages.partners };

/** The partners whose console the user may open; a 404 page if there are none. */
export default async function ConsolePage() {
  const user = await signedIn("/console");
  if (await lacksStaffFactor(user)) redirect(STAFF_LOCKED);
  const partners = user.suspended ? [] : await listVisiblePartners(user);
  const isStaff = user.role === "staff" && !user.suspended;
  if (partners.length === 0 && !isStaff) notFound();
  const rows = partners.map(({ id, clientId, name, suspendedAt, createdAt }) => ({
    key: id,
    cells: [
      <Link key="name" href={`/console/${clientId}`} className="text-accent underline">
        {name}
      </Link>,
      <code key="id">{clientId}</code>,
      suspendedAt ? consoleWords.pages.suspended : consoleWords.pages.active,
      utc(createdAt),
    ],
  }));
  return (
    <>
      <PageHeading title={consoleWords.pages.partners} lead={consoleWords.pages.partnersLead} />
      <div className="grid gap-8">
        <Table
          caption={consoleWords.pages.partners}
          head={consoleWords.pages.partnersHead}
          rows={rows}
          empty={consoleWords.pages.noPartners}
        />
        {isStaff && <NewPartner />}
      </div>
    </>
  );
}

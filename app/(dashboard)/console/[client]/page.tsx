import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { ConsoleFrame } from "@/components/console/frame";
import { AuditTable, Table } from "@/components/console/table";
import { consoleWords } from "@/components/console/words";
import { listPartnerAudit, listPartnerUsage } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.overview };

type Props = { params: Promise<{ client: string }> };

/** A partner's monthly usage and its audit log. */
export default async function OverviewPage({ params }: Props) {
  const { partner } = await consolePartner((await params).client);
  const [usage, audit] = await Promise.all([listPartnerUsage(partner.id), listPartnerAudit(partner.id)]);
  const number = new Intl.NumberFormat("en-GB");
  const rows = usage.map(({ month, users, accounts, posts, calls }) => ({
    key: month,
    cells: [month, ...[users, accounts, posts, calls].map((count) => number.format(count))],
  }));
  return (
    <ConsoleFrame partner={partner} here="" lead={consoleWords.pages.overviewLead}>
      <section aria-labelledby="usage" className="grid gap-3">
        <h2 id="usage" className="font-semibold text-lg">
          {consoleWords.pages.usage}
        </h2>
        <Table
          caption={consoleWords.pages.usageByMonth}
          head={consoleWords.pages.usageHead}
          rows={rows}
          empty={consoleWords.pages.noUsage}
        />
        <p className="text-muted text-sm">{consoleWords.pages.usageHow}</p>
      </section>
      <section aria-labelledby="log" className="grid gap-3">
        <h2 id="log" className="font-semibold text-lg">
          {consoleWords.pages.whatWasDone}
        </h2>
        <AuditTable entries={audit} />
      </section>
    </ConsoleFrame>
  );
}

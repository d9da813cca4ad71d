import type { Metadata } from "next";
import { AuditLines } from "@/components/console/audit-lines";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { Table } from "@/components/console/table";
import * as words from "@/components/words/app-console";
import { auditOf, usageOf } from "@/lib/connect";

export const metadata: Metadata = { title: words.overview };

type Props = { params: Promise<{ client: string }> };

/** How much a partner does, month by month, and what was done to it. */
export default async function OverviewPage({ params }: Props) {
  const { partner } = await consolePartner((await params).client);
  const [usage, audit] = await Promise.all([usageOf(partner.id), auditOf(partner.id)]);
  const number = new Intl.NumberFormat("en-GB");
  const rows = usage.map(({ month, users, accounts, posts, calls }) => ({
    key: month,
    cells: [month, ...[users, accounts, posts, calls].map((count) => number.format(count))],
  }));
  return (
    <ConsoleFrame partner={partner} here="" lead={words.overviewLead}>
      <section aria-labelledby="usage" className="grid gap-3">
        <h2 id="usage" className="font-semibold text-lg">
          {words.usage}
        </h2>
        <Table caption={words.usageByMonth} head={words.usageHead} rows={rows} empty={words.noUsage} />
        <p className="text-muted text-sm">{words.usageHow}</p>
      </section>
      <section aria-labelledby="log" className="grid gap-3">
        <h2 id="log" className="font-semibold text-lg">
          {words.whatWasDone}
        </h2>
        <AuditLines lines={audit} />
      </section>
    </ConsoleFrame>
  );
}

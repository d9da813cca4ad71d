import type { Metadata } from "next";
import { AuditLines } from "@/components/console/audit-lines";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { Table } from "@/components/console/table";
import { auditOf, usageOf } from "@/lib/connect";

export const metadata: Metadata = { title: "Overview" };

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
    <ConsoleFrame partner={partner} here="" lead="Usage by month, in UTC.">
      <section aria-labelledby="usage" className="grid gap-3">
        <h2 id="usage" className="font-semibold text-lg">
          Usage
        </h2>
        <Table
          caption="Usage by month"
          head={["Month", "New end-users", "New accounts", "Posts", "API calls"]}
          rows={rows}
          empty="Nothing yet."
        />
        <p className="text-muted text-sm">
          Counted in what is there now: whoever was deleted no longer counts. API calls are added every few seconds.
        </p>
      </section>
      <section aria-labelledby="log" className="grid gap-3">
        <h2 id="log" className="font-semibold text-lg">
          What was done
        </h2>
        <AuditLines lines={audit} />
      </section>
    </ConsoleFrame>
  );
}

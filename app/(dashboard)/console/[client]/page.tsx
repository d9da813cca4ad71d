import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { ConsoleFrame } from "@/components/console/frame";
import { AuditTable, Table } from "@/components/console/table";
import { UsageChart } from "@/components/console/usage-chart";
import { consoleWords } from "@/components/console/words";
import { Card } from "@/components/ui/card";
import { countAccountsToReconnect, listPartnerAudit, listPartnerDays, listPartnerUsage } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.overview };

type Props = { params: Promise<{ client: string }> };

/** What a partner's users publish, its monthly usage and its audit log. */
export default async function OverviewPage({ params }: Props) {
  const { partner } = await consolePartner((await params).client);
  const [days, toReconnect, usage, audit] = await Promise.all([
    listPartnerDays(partner.id),
    countAccountsToReconnect(partner.id),
    listPartnerUsage(partner.id),
    listPartnerAudit(partner.id),
  ]);
  const number = new Intl.NumberFormat("en-GB");
  const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  const rows = usage.map(({ month, users, accounts, posts, calls }) => ({
    key: month,
    cells: [
      monthFormat.format(new Date(`${month}-01`)),
      ...[users, accounts, posts, calls].map((count) => number.format(count)),
    ],
  }));
  const words = consoleWords.chart;
  const numbers = [
    { label: words.published, value: days.reduce((sum, { published }) => sum + published, 0) },
    { label: words.failed, value: days.reduce((sum, { failed }) => sum + failed, 0) },
    { label: words.calls, value: usage[0]?.calls ?? 0 },
    { label: words.toReconnect, value: toReconnect },
  ];
  return (
    <ConsoleFrame partner={partner} here="" lead={consoleWords.pages.overviewLead}>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-2xl border border-line bg-line lg:grid-cols-4">
        {numbers.map(({ label, value }) => (
          <div key={label} className="flex flex-col justify-between gap-1 bg-surface px-5 py-4">
            <dt className="text-muted text-sm">{label}</dt>
            <dd className="font-bold font-display text-2xl">{number.format(value)}</dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby="days">
        <Card className="grid gap-2">
          <h2 id="days" className="font-semibold text-lg">
            {words.title}
          </h2>
          <p className="text-muted text-sm">{words.how}</p>
          <UsageChart days={days} />
        </Card>
      </section>
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

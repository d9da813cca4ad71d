import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { utc } from "@/components/console/table";
import { staffOnly } from "@/components/session/signed-in";
import { StaffFrame } from "@/components/staff/frame";
import { FactList, scheduleWord } from "@/components/staff/lists";
import { ReceiptList, ShareForm } from "@/components/staff/receipt";
import { SentPublication } from "@/components/staff/sent-publication";
import { staffWords } from "@/components/staff/words";
import { NotFound } from "@/lib/errors";
import { linkDays, viewSchedule } from "@/lib/staff";
import { parseId } from "@/lib/text";

export const metadata: Metadata = { title: staffWords.pages.scheduleTitle };

type Props = { params: Promise<{ id: string }> };

/** Any user's schedule: what its networks will receive, and its receipts so far. */
export default async function StaffSchedulePage({ params }: Props) {
  const { id } = await params;
  const staff = await staffOnly(`/staff/schedules/${id}`);
  const schedule = parseId(id);
  if (schedule === undefined) notFound();
  const { owner, shown, receipt } = await viewSchedule(staff, schedule).catch((error: unknown) => {
    if (error instanceof NotFound) notFound();
    throw error;
  });
  return (
    <StaffFrame title={staffWords.pages.schedule(id)} lead={scheduleWord(shown.status)}>
      <FactList
        facts={{
          [staffWords.pages.owner]: (
            <a href={`/staff/users/${owner.id}`} className="text-accent underline">
              {owner.name}
              {owner.email && `, ${owner.email}`}
            </a>
          ),
          [shown.status === "DRAFT" ? staffWords.pages.plannedFor : staffWords.pages.when]: shown.scheduledTime
            ? utc(shown.scheduledTime)
            : staffWords.pages.noTime,
        }}
      />
      <section aria-labelledby="preview" className="grid gap-3">
        <h2 id="preview" className="font-semibold text-lg">
          {staffWords.pages.preview}
        </h2>
        {shown.publications.map((publication) => (
          <SentPublication key={publication.id} publication={publication} scheduledTime={shown.scheduledTime} />
        ))}
        {shown.publications.length === 0 && <p className="text-muted">{staffWords.pages.noAccount}</p>}
      </section>
      <section aria-labelledby="receipt" className="grid gap-3">
        <h2 id="receipt" className="font-semibold text-lg">
          {staffWords.pages.receipt}
        </h2>
        <ReceiptList shown={shown} receipt={receipt} />
      </section>
      <section aria-labelledby="share" className="grid gap-3">
        <h2 id="share" className="font-semibold text-lg">
          {staffWords.pages.share}
        </h2>
        <p className="text-muted text-sm">{staffWords.pages.shareHow}</p>
        <ShareForm schedule={schedule} days={linkDays} />
      </section>
    </StaffFrame>
  );
}

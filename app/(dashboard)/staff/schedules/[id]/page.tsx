import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { utc } from "@/components/console/when";
import { Facts } from "@/components/staff/facts";
import { StaffFrame } from "@/components/staff/frame";
import { staffOnly } from "@/components/staff/guard";
import { ReceiptList } from "@/components/staff/receipt";
import { SentPublication } from "@/components/staff/sent-publication";
import { ShareForm } from "@/components/staff/share-form";
import { scheduleWord } from "@/components/staff/words";
import * as words from "@/components/words/app-staff";
import { NotFound } from "@/lib/errors";
import { linkDays, lookAtSchedule } from "@/lib/staff";

export const metadata: Metadata = { title: words.scheduleTitle };

type Props = { params: Promise<{ id: string }> };

/** Anybody's schedule: what its networks will have of it, and what became of it so far. */
export default async function StaffSchedulePage({ params }: Props) {
  const { id } = await params;
  const staff = await staffOnly(`/staff/schedules/${id}`);
  if (!/^\d{1,15}$/.test(id)) notFound();
  const { owner, shown, receipt } = await lookAtSchedule(staff, Number(id)).catch((error: unknown) => {
    if (error instanceof NotFound) notFound();
    throw error;
  });
  return (
    <StaffFrame title={words.schedule(id)} lead={scheduleWord(shown.status)}>
      <Facts
        facts={{
          [words.owner]: (
            <a href={`/staff/users/${owner.id}`} className="text-accent underline">
              {owner.name}
              {owner.email && `, ${owner.email}`}
            </a>
          ),
          [words.when]: shown.scheduledTime ? utc(shown.scheduledTime) : words.noTime,
        }}
      />
      <section aria-labelledby="preview" className="grid gap-3">
        <h2 id="preview" className="font-semibold text-lg">
          {words.preview}
        </h2>
        {shown.publications.map((publication) => (
          <SentPublication key={publication.id} publication={publication} />
        ))}
        {shown.publications.length === 0 && <p className="text-muted">{words.noAccount}</p>}
      </section>
      <section aria-labelledby="receipt" className="grid gap-3">
        <h2 id="receipt" className="font-semibold text-lg">
          {words.receipt}
        </h2>
        <ReceiptList receipt={receipt} />
      </section>
      <section aria-labelledby="share" className="grid gap-3">
        <h2 id="share" className="font-semibold text-lg">
          {words.share}
        </h2>
        <p className="text-muted text-sm">{words.shareHow}</p>
        <ShareForm schedule={Number(id)} days={linkDays} />
      </section>
    </StaffFrame>
  );
}

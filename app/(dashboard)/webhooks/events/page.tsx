import type { Metadata } from "next";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { ArrowLeft } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { EventRow } from "@/components/webhooks/states";
import { webhookWords } from "@/components/webhooks/words";
import { listNewestEvents, presentLogEntry } from "@/lib/webhooks";

export const metadata: Metadata = { title: webhookWords.page.events };

const PAGE = 50;

type Props = { searchParams: Promise<{ before?: string | string[] }> };

/** The log of events that webhooks deliver, newest first. */
export default async function EventsPage({ searchParams }: Props) {
  const user = await signedIn("/webhooks/events");
  const [, xid, id] = /^(\d{1,19})\.(\d{1,15})$/.exec(String((await searchParams).before ?? "")) ?? [];
  const before = xid && id ? ([xid, Number(id)] as const) : undefined;
  const { items, next } = await listNewestEvents({ ownerId: user.id }, { before, limit: PAGE });
  return (
    <>
      <Link href="/webhooks" className="mb-6 inline-flex min-h-8 items-center gap-2 text-accent underline">
        <ArrowLeft aria-hidden className="size-4" /> {webhookWords.page.webhooks}
      </Link>
      <PageHeading title={webhookWords.page.events} lead={webhookWords.page.eventsLead} />
      <div className="grid gap-3">
        {items.length === 0 && <p className="text-muted">{webhookWords.page.noEvents}</p>}
        {items.map((event) => {
          const { id, type, timestamp, data } = presentLogEntry(event);
          return <EventRow key={id} type={type} timestamp={timestamp} data={JSON.stringify(data, null, 2)} />;
        })}
        {next && (
          <Link
            href={`/webhooks/events?before=${next.join(".")}`}
            className={buttonClass("quiet", "justify-self-center")}
          >
            {webhookWords.page.older}
          </Link>
        )}
      </div>
    </>
  );
}

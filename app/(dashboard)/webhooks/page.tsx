import type { Metadata } from "next";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Webhooks } from "@/components/webhooks/webhooks";
import * as words from "@/components/words/app-dashboard";
import { eventTypes } from "@/lib/webhooks";

export const metadata: Metadata = { title: words.webhooks };

export default async function WebhooksPage() {
  await signedIn("/webhooks");
  const events = (
    <Link href="/webhooks/events" className={buttonClass("quiet")}>
      {words.whatHappened}
    </Link>
  );
  return (
    <>
      <PageHeading title={words.webhooks} lead={words.webhooksLead} action={events} />
      <Webhooks eventTypes={eventTypes} />
    </>
  );
}

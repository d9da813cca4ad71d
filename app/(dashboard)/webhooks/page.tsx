import type { Metadata } from "next";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Webhooks } from "@/components/webhooks/webhooks";
import { eventTypes } from "@/lib/webhooks";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  await signedIn("/webhooks");
  const events = (
    <Link href="/webhooks/events" className={buttonClass("quiet")}>
      What has happened
    </Link>
  );
  return (
    <>
      <PageHeading title="Webhooks" lead="Addresses of yours that are told what happens, signed." action={events} />
      <Webhooks eventTypes={eventTypes} />
    </>
  );
}

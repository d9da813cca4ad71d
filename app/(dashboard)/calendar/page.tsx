import type { Metadata } from "next";
import { CalendarPage } from "@/components/calendar";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import * as words from "@/components/words/app-dashboard";

export const metadata: Metadata = { title: words.calendar };

export default async function CalendarRoute() {
  await signedIn("/calendar");
  const write = (
    <Link href="/compose" className={buttonClass()}>
      {words.write}
    </Link>
  );
  return (
    <>
      <PageHeading title={words.calendar} lead={words.calendarLead} action={write} />
      <CalendarPage networks={networkFacts()} />
    </>
  );
}

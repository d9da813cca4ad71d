import type { Metadata } from "next";
import { CalendarPage } from "@/components/calendar";
import { calendarWords } from "@/components/calendar/words";
import { composePageWords } from "@/components/compose/page-words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: calendarWords.page.calendar };

export default async function CalendarRoute() {
  await signedIn("/calendar");
  const write = (
    <Link href="/compose" className={buttonClass()}>
      {composePageWords.write}
    </Link>
  );
  return (
    <>
      <PageHeading title={calendarWords.page.calendar} lead={calendarWords.page.calendarLead} action={write} />
      <CalendarPage networks={networkFacts()} />
    </>
  );
}

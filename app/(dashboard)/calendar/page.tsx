import type { Metadata } from "next";
import { CalendarPage } from "@/components/calendar";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: "Calendar" };

export default async function CalendarRoute() {
  await signedIn("/calendar");
  const write = (
    <Link href="/compose" className={buttonClass()}>
      Write a post
    </Link>
  );
  return (
    <>
      <PageHeading title="Calendar" lead="Drag a post to another time, or use “Move to…”." action={write} />
      <CalendarPage networks={networkFacts()} />
    </>
  );
}

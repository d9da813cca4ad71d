import type { Metadata } from "next";
import { cookies } from "next/headers";
import { CalendarPage } from "@/components/calendar";
import { calendarWords } from "@/components/calendar/words";
import { networkFacts } from "@/components/networks/facts";
import { signedIn } from "@/components/session/signed-in";
import { WEEK_COOKIE, weekStartIn } from "@/components/shell/preferences";

export const metadata: Metadata = { title: calendarWords.page.calendar };

export default async function CalendarRoute() {
  await signedIn("/calendar");
  const weekStart = weekStartIn((await cookies()).get(WEEK_COOKIE)?.value);
  return <CalendarPage networks={networkFacts()} weekStart={weekStart} />;
}

import { UNLISTED } from "@/components/plain/page";
import { findCalendar } from "@/lib/schedules";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ file: string }> };

/** A person's posts for calendar programs, at their secret address. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const [, token = ""] = /^(.+)\.ics$/.exec((await params).file) ?? [];
  const calendar = await findCalendar(token);
  const headers = { ...UNLISTED, "Cache-Control": "private, max-age=300" };
  if (calendar === undefined) {
    const text = "There is no calendar at this address. Create a new address in the settings of Carillon.\n";
    return new Response(text, { status: 404, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" } });
  }
  return new Response(calendar, { headers: { ...headers, "Content-Type": "text/calendar; charset=utf-8" } });
}

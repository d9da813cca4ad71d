import { ownForm } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { isStaff, STAFF_LOCKED } from "@/components/session/signed-in";
import { linkPage } from "@/components/staff/pages";
import { NotFound } from "@/lib/errors";
import { createPreviewLink, linkDays } from "@/lib/staff";
import { parseId } from "@/lib/text";
import { lacksStaffFactor } from "@/lib/users";

export const dynamic = "force-dynamic";

/** Staff creates a link that shows a schedule's preview for some days. */
export async function POST(request: Request): Promise<Response> {
  const sent = await ownForm(request);
  if (!sent || !isStaff(sent.session.user)) return notFoundPage();
  const { user } = sent.session;
  if (await lacksStaffFactor(user)) return goTo(STAFF_LOCKED);
  const schedule = parseId(fieldOf(sent.form, "schedule"));
  const days = linkDays.find((count) => String(count) === sent.form.get("days"));
  if (!days || schedule === undefined) return notFoundPage();
  try {
    const { url, endsAt } = await createPreviewLink(user, schedule, days);
    return linkPage(url, endsAt, schedule);
  } catch (error) {
    if (error instanceof NotFound) return notFoundPage();
    throw error;
  }
}

/** A reload or a bookmark of the form's address leads back to the page with the form. */
export function GET(): Response {
  return goTo("/staff");
}

import { ownFormUser } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { isStaff, STAFF_LOCKED } from "@/components/session/signed-in";
import { linkPage } from "@/components/staff/pages";
import { NotFound } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { createPreviewLink, linkDays } from "@/lib/staff";
import { lacksStaffFactor } from "@/lib/users";

export const dynamic = "force-dynamic";

/** Staff creates a link that shows a schedule's preview for some days. */
export async function POST(request: Request): Promise<Response> {
  const user = await ownFormUser(request);
  if (user && (await lacksStaffFactor(user))) return goTo(STAFF_LOCKED);
  const form = user && isStaff(user) ? await readForm(request) : undefined;
  const schedule = form ? fieldOf(form, "schedule") : "";
  const days = linkDays.find((count) => String(count) === form?.get("days"));
  if (!user || !days || !/^\d{1,15}$/.test(schedule)) return notFoundPage();
  try {
    const { url, endsAt } = await createPreviewLink(user, Number(schedule), days);
    return linkPage(url, endsAt, Number(schedule));
  } catch (error) {
    if (error instanceof NotFound) return notFoundPage();
    throw error;
  }
}

/** A reload or a bookmark of the form's address leads back to the page with the form. */
export function GET(): Response {
  return goTo("/staff");
}

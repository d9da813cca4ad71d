import { ownFormUser } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { NotFound } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { revokeAllowedApplication } from "@/lib/oauth";
import { stopFeedsOfApplication } from "@/lib/schedules";
import { holdWebhooksOfApplication } from "@/lib/webhooks";

export const dynamic = "force-dynamic";

const LIST = "/settings/applications";

/** Revokes an application. The form must come from our own page. */
export async function POST(request: Request): Promise<Response> {
  const user = await ownFormUser(request);
  const form = user && (await readForm(request));
  if (!form) return notFoundPage();
  try {
    const lockouts = { webhooks: holdWebhooksOfApplication, feeds: stopFeedsOfApplication };
    await revokeAllowedApplication(user.id, fieldOf(form, "client"), lockouts);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return goTo(LIST); // it was revoked in another window
  }
  return goTo(`${LIST}?revoked=yes`);
}

/** A reload leads back to the list. */
export function GET(): Response {
  return goTo(LIST);
}

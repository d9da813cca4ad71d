import { ownForm } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { NotFound } from "@/lib/errors";
import { revokeAllowedApplication } from "@/lib/oauth";
import { stopFeedsOfApplication } from "@/lib/schedules";
import { holdWebhooksOfApplication } from "@/lib/webhooks";

export const dynamic = "force-dynamic";

const LIST = "/settings/applications";

/** Revokes an application. The form must come from our own page. */
export async function POST(request: Request): Promise<Response> {
  const sent = await ownForm(request);
  if (!sent) return notFoundPage();
  try {
    const lockouts = { webhooks: holdWebhooksOfApplication, feeds: stopFeedsOfApplication };
    await revokeAllowedApplication(sent.session.user.id, fieldOf(sent.form, "client"), lockouts);
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

import { refused, sendToNetwork } from "@/components/plain/connect/answers";
import { ConnectError, openAttempt } from "@/lib/connect";
import { wasAsked } from "@/lib/connect/cookies";
import { readLink } from "@/lib/connect/link";
import { StateExpired } from "@/lib/errors";
import { readForm } from "@/lib/http/form";

export const dynamic = "force-dynamic";

/** The person goes on from the page that named partner and user: the link is opened in the browser that was shown it. */
export async function POST(request: Request): Promise<Response> {
  try {
    const form = await readForm(request);
    const [sealed, ...others] = form?.getAll("whitelabel_state") ?? [];
    if (sealed === undefined || others.length > 0) throw new StateExpired();
    const wish = await readLink(sealed, request);
    if (!wasAsked(request.headers, form?.get("token") ?? "")) {
      throw new ConnectError("wrong browser", "The page before this connect was shown to another browser");
    }
    return await sendToNetwork(request, await openAttempt(wish), 303);
  } catch (error) {
    return refused(error, request);
  }
}

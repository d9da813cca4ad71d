import { refused, sendToNetwork } from "@/components/connect/answers";
import { wasAsked } from "@/components/connect/cookies";
import { readLink } from "@/components/connect/link";
import { ConnectFailed, openAttempt } from "@/lib/connect";
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
      throw new ConnectFailed("wrong browser", "The page before this connect was shown to another browser");
    }
    return await sendToNetwork(request, await openAttempt(wish), 303);
  } catch (error) {
    return refused(error, request);
  }
}
